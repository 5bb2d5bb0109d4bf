/** `sw.js`: `web/offline/worker.ts` with the list of all files that it keeps. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type PluginOption, type Rolldown } from 'vite'
import type { Files } from './oneFile.ts'

const ENTRY = fileURLToPath(new URL('../../web/offline/worker.ts', import.meta.url))
const NAME = 'sw.js'
/**
 * Stands for the list in the built worker: the list has the notices' hash, and the notices need the worker's packages.
 */
const PLACEHOLDER = '"seekscope:precache"'

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/**
 * All files below the page, with a hash of their content. The names of assets contain one: without another, they are
 * taken from the browser's cache, where a first visit has just put them.
 */
const listOf = (files: Files) =>
  [...files].flatMap(([url, bytes]) =>
    url === NAME ? [] : [url.startsWith('assets/') ? url : { url, revision: hash(bytes) }],
  )

/** Builds the worker; the result makes `sw.js` for a list of files. */
export async function serviceWorker(
  plugins: readonly PluginOption[],
): Promise<(files: Files) => { readonly name: string; readonly code: string }> {
  const built = await build({
    configFile: false,
    root: join(ENTRY, '..'),
    logLevel: 'warn',
    plugins: [...plugins],
    define: { PRECACHE: PLACEHOLDER, 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      copyPublicDir: false,
      target: 'es2022',
      lib: { entry: ENTRY, formats: ['iife'], name: 'sw', fileName: () => NAME },
    },
  })
  const [{ output }] = (Array.isArray(built) ? built : [built]) as [Rolldown.RolldownOutput]
  const parts = output[0].code.split(new RegExp(PLACEHOLDER.replaceAll('"', '["\'`]')))
  if (parts.length !== 2) throw new Error(`${NAME}: ${parts.length - 1} places for the list of files instead of 1`)
  return files => ({ name: NAME, code: parts.join(JSON.stringify(listOf(files))) })
}
