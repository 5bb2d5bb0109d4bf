/** Browsers on this machine that can run without a window. */
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { SetupError } from '../program/usage'

const CHROMIUM = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
]
const FIREFOX = ['firefox', 'firefox-esr']

/** Paths of applications on macOS, which are not in PATH. */
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export interface HeadlessBrowser {
  readonly file: string
  /** Arguments that open a file with a temporary profile. */
  args(profile: string, page: string): readonly string[]
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function headless(file: string): HeadlessBrowser {
  if (/firefox/i.test(basename(file)))
    return { file, args: (profile, page) => ['--headless', '--no-remote', '--profile', profile, page] }
  // Chromium has no sandbox for root, and does not start with one.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const quiet = [
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-extensions',
    '--disable-sync',
    '--disable-background-networking',
    '--mute-audio',
  ]
  // Without these, the browser slows down timers of the invisible window as if it were in the background.
  const awake = [
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
  ]
  return {
    file,
    args: (profile, page) => ['--headless=new', `--user-data-dir=${profile}`, ...quiet, ...awake, ...root, page],
  }
}

/** The browser that was named, or the first in PATH. Throws SetupError. */
export function findBrowser(requested: string | undefined, path = process.env.PATH ?? ''): HeadlessBrowser {
  const folders = path.split(delimiter).filter(folder => folder !== '')
  const inPath = (name: string) => folders.map(folder => join(folder, name)).find(runs)
  if (requested !== undefined) {
    const file = requested.includes('/') ? (runs(requested) ? requested : undefined) : inPath(requested)
    if (file === undefined) throw new SetupError(`cannot run the browser ${requested}: no such program`)
    return headless(file)
  }
  for (const name of [...CHROMIUM, ...FIREFOX]) {
    const file = inPath(name)
    if (file !== undefined) return headless(file)
  }
  const app = process.platform === 'darwin' ? MAC.find(runs) : undefined
  if (app !== undefined) return headless(app)
  throw new SetupError(
    `no browser found: movie draws in one without a window. Install Chromium, Chrome or Firefox, or name one with --browser. Looked in PATH for ${[...CHROMIUM, ...FIREFOX].join(', ')}`,
  )
}
