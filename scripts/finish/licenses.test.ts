import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { render } from '../docs/render.ts'
import type { ShippedPackage } from '../lib/crates.mjs'
import { chooseLicenses, licenseTexts, markdownNotices, plainNotices } from './licenses.ts'
import { packageFolder, readPackage } from './packages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const crates: readonly ShippedPackage[] = JSON.parse(
  readFileSync(join(ROOT, 'web/engine/generated/crates.json'), 'utf8'),
)
const shippedPackage = (
  license: string,
  files = [{ name: 'LICENSE', text: `text of ${license}` }],
): ShippedPackage => ({
  name: 'made',
  version: '1.2.3',
  license,
  files,
})

describe('SPDX expressions', () => {
  it.each([
    ['MIT', ['MIT']],
    ['Apache-2.0 OR MIT', ['MIT']],
    ['(MIT OR Apache-2.0) AND Unicode-3.0', ['MIT', 'Unicode-3.0']],
    ['GPL-3.0-only OR Apache-2.0', ['Apache-2.0']],
    ['Apache-2.0 OR BSL-1.0', ['BSL-1.0']],
  ])('%s', (expression, ids) => expect(chooseLicenses(expression)).toEqual(ids))
  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-2.0-or-later',
    '',
    'MIT OR',
    '(MIT',
    'MIT/Apache-2.0',
    'Apache-2.0 WITH LLVM-exception',
  ])('refuses "%s"', expression => expect(() => chooseLicenses(expression)).toThrow(/licence|brackets/))
})

describe('notices', () => {
  it('stop the build for a package with an unknown licence or without its text', () => {
    expect(() => licenseTexts([shippedPackage('SSPL-1.0')])).toThrow(
      /made 1\.2\.3: the licence SSPL-1\.0 is not on the list/,
    )
    expect(() => licenseTexts([shippedPackage('MIT', [])])).toThrow(/made 1\.2\.3: it has no licence file/)
  })
  it('contain the chosen text once, with all its packages', () => {
    const both = [
      { name: 'LICENSE-APACHE', text: 'apache\r\n' },
      { name: 'LICENSE-MIT', text: 'mit  \n\n' },
    ]
    const texts = licenseTexts([
      shippedPackage('MIT OR Apache-2.0', both),
      { ...shippedPackage('MIT', [{ name: 'LICENSE', text: 'mit' }]), name: 'other' },
    ])
    expect(texts.map(({ text, packages }) => [text, packages.map(p => p.name)])).toEqual([['mit', ['made', 'other']]])
    expect(plainNotices(texts)).toMatch(/made 1\.2\.3 \(MIT OR Apache-2\.0\)\nother 1\.2\.3 \(MIT\)\n-+\n\nmit\n$/)
  })
  it('cover the crates of the WASM module and the standard library', () => {
    const texts = licenseTexts(crates)
    const text = plainNotices(texts)
    for (const name of ['Rust standard library', 'serde_json', 'wasm-bindgen', 'ruzstd', 'zlib-rs', 'libbz2-rs-sys'])
      expect(text).toContain(`\n${name} `)
    expect(text).not.toMatch(/^(seekscope|serde_derive|syn) /m)
    const { ids, links } = render(markdownNotices(texts))
    for (const link of links) expect(ids).toContain(link.slice(1))
  })
})

describe('packages of a bundle', () => {
  it.each([
    ['/x/node_modules/react/index.js', '/x/node_modules/react'],
    ['/x/node_modules/a/node_modules/@b/c/d.js', '/x/node_modules/a/node_modules/@b/c'],
    ['/x/web/main.tsx', undefined],
    ['\0rolldown/runtime.js', join(ROOT, 'node_modules/rolldown')],
  ])('%j', (id, folder) => expect(packageFolder(id)).toBe(folder))
  it('have name, licence and text', () => {
    expect(readPackage(join(ROOT, 'node_modules/d3-array'))).toMatchObject({
      name: 'd3-array',
      license: 'ISC',
      files: [{ name: 'LICENSE' }],
    })
    expect(readPackage(join(ROOT, 'node_modules/vite')).files[0]?.text.length).toBeLessThan(2000)
  })
})
