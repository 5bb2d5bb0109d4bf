/** Vite plugin: what a built page has beyond its bundle: a policy, itself as one file, and the service worker that keeps all of it. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { oneFile } from './oneFile.ts'
import { HOSTED, metaTag } from './policy.ts'
import { serviceWorker } from './serviceWorker.ts'

/** By their paths below it, with `/`. */
function filesIn(folder: string): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = paths.filter(path => statSync(join(folder, path)).isFile())
  return new Map(files.map(path => [path.replaceAll('\\', '/'), readFileSync(join(folder, path))]))
}

export const finish = (): Plugin => {
  let folder = ''
  return {
    name: 'seekscope-finish',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    transformIndexHtml: html => html.replace(/<meta charset="utf-8"[^>]*>/, tag => `${tag}\n    ${metaTag(HOSTED)}`),
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        writeFileSync(join(folder, 'seekscope.html'), oneFile(filesIn(folder)))
        await serviceWorker(folder, filesIn(folder))
      },
    },
  }
}
