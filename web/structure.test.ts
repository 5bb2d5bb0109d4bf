/**
 * Which folder may import which, no circles of files, and no type name with two meanings. For Rust:
 * `parser-wasm/core/tests/all/structure`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Each folder imports only from folders above it. `page` is the page's entry point, `web/main.tsx`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  engine: ['lib'],
  link: ['engine', 'lib'],
  fleet: ['engine', 'lib'],
  bisect: ['engine', 'lib'],
  ingest: ['engine', 'lib', 'link'],
  state: ['engine', 'fleet', 'ingest', 'lib', 'link'],
  storage: ['engine', 'ingest', 'lib', 'link', 'state'],
  opening: ['bisect', 'engine', 'fleet', 'ingest', 'lib', 'link', 'state'],
  embed: ['engine', 'ingest', 'lib', 'link', 'state'],
  share: ['engine', 'lib', 'link', 'state'],
  export: ['engine', 'fleet', 'lib', 'state'],
  offline: ['ingest', 'lib'],
  charts: ['engine', 'lib', 'link', 'state'],
  compare: ['charts', 'engine', 'lib', 'link', 'state'],
  app: [
    'bisect',
    'charts',
    'compare',
    'engine',
    'export',
    'fleet',
    'ingest',
    'lib',
    'link',
    'offline',
    'share',
    'state',
    'storage',
  ],
  page: ['app', 'embed', 'engine', 'ingest', 'lib', 'opening', 'share', 'state', 'storage'],
  cli: ['bisect', 'charts', 'compare', 'engine', 'export', 'fleet', 'lib', 'link', 'share', 'state'],
}

/** Circles of files that stay, each with its reason: none at present. */
const CIRCLES: readonly { readonly files: readonly string[]; readonly why: string }[] = []

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const files = ['web', 'cli'].flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.(tsx?|m?js)$/.test(path) && !path.endsWith('.d.ts') && !path.includes('generated'))
    .map(path => `${folder}/${path}`),
)
const sources = new Map(files.map(file => [file, readFileSync(join(ROOT, file), 'utf8')] as const))
const modules = files.filter(file => !file.includes('.test.'))

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^'?]+)/g

/** Files that a file imports, types too. */
function importsOf(file: string): readonly string[] {
  return [...(sources.get(file) ?? '').matchAll(IMPORT)].flatMap(([, path = '']) => {
    const target = normalize(join(dirname(file), path)).replaceAll('\\', '/')
    const names = [target, `${target}.ts`, `${target}.tsx`, target.replace(/\.js$/, '.ts')]
    return names.find(name => sources.has(name)) ?? []
  })
}

function folderOf(file: string): string {
  const [top = '', folder = '', ...rest] = file.split('/')
  if (top === 'cli') return 'cli'
  return rest.length === 0 ? 'page' : folder
}

const edges = new Map(modules.map(file => [file, importsOf(file)] as const))

/** Strongly connected sets of more than one file (Tarjan). */
function circles(): readonly (readonly string[])[] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: (readonly string[])[] = []
  const visit = (file: string) => {
    const number = index.size
    index.set(file, number)
    low.set(file, number)
    stack.push(file)
    for (const next of edges.get(file) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(file) !== number) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) found.push(circle.sort())
  }
  for (const file of modules) if (!index.has(file)) visit(file)
  return found
}

const TYPE =
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:const\s+)?(?:interface|type|class|enum)\s+([A-Z]\w*)(?=\s*(?:<|=|\{|extends\b|implements\b))/gm
const TYPEDEF = /@typedef\s+\{[^@]*?\}\s+([A-Z]\w*)/g

describe('the folders of web/ and cli/', () => {
  it('are in the table in an order in which none imports from one below', () => {
    const order = Object.keys(MAY_IMPORT)
    for (const [i, folder] of order.entries())
      expect(order.slice(0, i)).toEqual(expect.arrayContaining([...(MAY_IMPORT[folder] ?? [])]))
  })

  it('import only what the table allows', () => {
    const forbidden = modules.flatMap(file => {
      const from = folderOf(file)
      return (edges.get(file) ?? []).flatMap(target => {
        const to = folderOf(target)
        return from === to || MAY_IMPORT[from]?.includes(to) ? [] : [`${file} imports ${target}`]
      })
    })
    expect(forbidden).toEqual([])
  })

  it('keep React out of the command line', () => {
    const reached = new Set(modules.filter(file => file.startsWith('cli/')))
    for (const file of reached) for (const target of edges.get(file) ?? []) reached.add(target)
    const components = [...reached].filter(
      file => file.endsWith('.tsx') || /from 'react'/.test(sources.get(file) ?? ''),
    )
    expect(components).toEqual([])
  })

  it('have no circles of files but those in the list', () => {
    const allowed = CIRCLES.map(circle => circle.files.join(' '))
    expect(
      circles()
        .map(circle => circle.join(' '))
        .filter(circle => !allowed.includes(circle)),
    ).toEqual([])
  })
})

describe('type names', () => {
  it('have one meaning each', () => {
    const declared = new Map<string, Set<string>>()
    for (const [file, text] of sources)
      for (const pattern of [TYPE, TYPEDEF])
        for (const [, name = ''] of text.matchAll(pattern))
          declared.set(name, (declared.get(name) ?? new Set()).add(file))
    // What crosses to the engine is declared once, by xtask from the types in Rust.
    const generated = readFileSync(join(ROOT, 'web/engine/generated/protocol.ts'), 'utf8')
    for (const [, name = ''] of generated.matchAll(TYPE))
      declared.set(name, (declared.get(name) ?? new Set()).add('web/engine/generated/protocol.ts'))
    const twice = [...declared].filter(([, where]) => where.size > 1)
    expect(twice.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([])
  })
})
