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

/** Where macOS keeps applications; they are not in PATH. */
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export interface HeadlessBrowser {
  readonly file: string
  /** Arguments that open a file in a profile of its own, which is removed with its folder. */
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
  // The page draws in a window that nobody sees: without these its timers are slowed down as in the background.
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
export function findBrowser(named: string | undefined, path = process.env.PATH ?? ''): HeadlessBrowser {
  const folders = path.split(delimiter).filter(folder => folder !== '')
  const inPath = (name: string) => folders.map(folder => join(folder, name)).find(runs)
  if (named !== undefined) {
    const file = named.includes('/') ? (runs(named) ? named : undefined) : inPath(named)
    if (file === undefined) throw new SetupError(`cannot run the browser ${named}: no such program`)
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
