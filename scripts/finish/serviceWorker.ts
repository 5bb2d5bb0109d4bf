/** `sw.js`: `web/offline/worker.ts` with the list of everything that it keeps. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { Files } from './oneFile.ts'

const ENTRY = fileURLToPath(new URL('../../web/offline/worker.ts', import.meta.url))
const NAME = 'sw.js'

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** Every file below the page with a hash of its content. */
const listOf = (files: Files) => [...files].flatMap(([url, bytes]) => (url === NAME ? [] : [{ url, revision: hash(bytes) }]))

export async function serviceWorker(folder: string, files: Files): Promise<void> {
  await build({
    configFile: false,
    root: join(ENTRY, '..'),
    logLevel: 'warn',
    define: { PRECACHE: JSON.stringify(listOf(files)), 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2022',
      lib: { entry: ENTRY, formats: ['iife'], name: 'sw', fileName: () => NAME },
    },
  })
}
