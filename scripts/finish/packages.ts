/** Which npm packages a bundle contains, read from the modules that the bundler kept. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { licenseFiles, type ShippedPackage } from '../lib/crates.mjs'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
/** Helpers that the bundler itself adds have ids of this form, `\0rolldown/runtime.js`. */
const HELPER = /^\0?(vite|rolldown)\//

/** The folder of the package that a module is from; undefined for our own modules. */
export function packageFolder(id: string): string | undefined {
  const helper = HELPER.exec(id)?.[1]
  if (helper !== undefined) return join(MODULES, helper)
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id.replace(/^\0/, ''))?.[0]
}

/** Vite lists the licences of everything that its own server contains; only its helper is shipped. */
const OWN_LICENSE = /^# Licenses of bundled dependencies$/m

export function readPackage(folder: string): ShippedPackage {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const url: unknown = typeof repository === 'string' ? repository : repository?.url
  return {
    name,
    version,
    license: typeof license === 'string' ? license : (license?.type ?? ''),
    ...(typeof url === 'string' ? { repository: url.replace(/^git\+|\.git$/g, '') } : {}),
    files: licenseFiles(folder).map(file => ({ ...file, text: file.text.split(OWN_LICENSE)[0] ?? '' })),
  }
}

/**
 * Collects the package folders of every bundle that it is a plugin of: the page, its workers, the service worker, the
 * command line.
 */
export interface PackageCollector {
  readonly plugin: () => Plugin
  readonly packages: () => readonly ShippedPackage[]
}

export function collectPackages(): PackageCollector {
  const folders = new Set<string>()
  return {
    plugin: () => ({
      name: 'seekscope-packages',
      generateBundle(_, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type !== 'chunk') continue
          for (const [id, { renderedLength }] of Object.entries(output.modules)) {
            const folder = renderedLength > 0 ? packageFolder(id) : undefined
            if (folder !== undefined) folders.add(folder)
          }
        }
      },
    }),
    packages: () => [...folders].sort().map(readPackage),
  }
}
