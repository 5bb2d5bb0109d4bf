/**
 * Vite plugin: completes the built page with its policy, the licence notices, the single-file app and the service
 * worker.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import { appendToBook } from '../docs/book.ts'
import { render } from '../docs/render.ts'
import { documentPage } from '../docs/site.ts'
import type { ShippedPackage } from '../lib/crates.mjs'
import { licenseTexts, markdownNotices, plainNotices } from './licenses.ts'
import { oneFile } from './oneFile.ts'
import type { PackageCollector } from './packages.ts'
import { HOSTED, metaTag } from './policy.ts'
import { serviceWorker } from './serviceWorker.ts'
import { checkAll, checkModules, checkStart } from './weight.ts'
import { wholePage } from './wholePage.ts'

const CRATES = fileURLToPath(new URL('../../web/engine/generated/crates.json', import.meta.url))
const NOTICES = 'THIRD-PARTY-NOTICES.txt'
const LICENSES = 'licenses.html'
const BOOK = 'docs/all.html'

const crates = (): readonly ShippedPackage[] => JSON.parse(readFileSync(CRATES, 'utf8'))

/** The files below a folder by their path, with `/` between folders. */
function filesIn(folder: string): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = paths.filter(path => statSync(join(folder, path)).isFile())
  return new Map(files.map(path => [path.replaceAll('\\', '/'), readFileSync(join(folder, path))]))
}

/** `THIRD-PARTY-NOTICES.txt` next to a bundle that contains these packages and the WASM module. */
export function notices(packages: PackageCollector): Plugin {
  let folder = ''
  return {
    name: 'seekscope-notices',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    closeBundle() {
      writeFileSync(join(folder, NOTICES), plainNotices(licenseTexts([...crates(), ...packages.packages()])))
    },
  }
}

/** `page`: how its scripts are built, without what belongs to `dist/`. */
export const finish = (packages: PackageCollector, page: InlineConfig): Plugin => {
  let folder = ''
  let isFailed = false
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  return {
    name: 'seekscope-finish',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    transformIndexHtml: html => html.replace(/<meta charset="utf-8"[^>]*>/, tag => `${tag}\n    ${metaTag(HOSTED)}`),
    buildEnd(error) {
      isFailed = error !== undefined
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        // It is called after a failed build, too, where complaints about missing files would hide the reason.
        if (isFailed) return
        const files = filesIn(folder)
        checkStart(files)
        checkModules(files)
        checkAll(files)
        const worker = await serviceWorker([packages.plugin()])
        const texts = licenseTexts([...crates(), ...packages.packages()])
        const licenses = render(markdownNotices(texts))
        write(NOTICES, plainNotices(texts))
        write(LICENSES, documentPage(LICENSES, licenses))
        write(BOOK, appendToBook(readFileSync(join(folder, BOOK), 'utf8'), LICENSES, licenses))
        write('seekscope.html', oneFile(filesIn(folder), await wholePage(page)))
        const { name, code } = worker(filesIn(folder))
        write(name, code)
      },
    },
  }
}
