/** Each chart has one spec, which lists itself by its folder; its words stand there and nowhere else. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHARTS, USUAL } from '../../cli/plot/names'
import { type AnySpec, SPECS } from './specs'

const HERE = import.meta.dirname
const CLI = join(HERE, '../../cli/plot')
/** Names of charts in commands and of colours, which happen to be words of a chart, too. */
const SYNTAX = new Set(['throughput', 'iops', 'starved'])

const read = (path: string): string => readFileSync(path, 'utf8')

/** Comments are no words of a chart. */
const code = (path: string): string => read(path).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** Folders with a spec; `shared` has its type. */
const folders = readdirSync(HERE).filter(folder => folder !== 'shared' && existsSync(join(HERE, folder, 'spec.ts')))

/** Literal texts of a source, without the places of its imports. */
function literals(source: string): readonly string[] {
  const body = source.replace(/^(?:import|export)\b[^'"]*? from '[^']*'$/gm, '').replace(/import\('[^']*'\)/g, '')
  const quoted = [...body.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text = '']) => text)
  const template = [...body.matchAll(/`((?:[^`\\]|\\.)*)`/g)].flatMap(([, text = '']) => text.split(/\$\{[^}]*\}/))
  const markup = [...body.matchAll(/>([^<>{}\n]*[A-Za-z][^<>{}\n]*)</g)].map(([, text = '']) => text)
  return [...quoted, ...template, ...markup].map(text => text.trim())
}

/** Whether a text is read by people: it is a sentence, a title, or it stands on its own as a name. */
const isWords = (text: string): boolean => /^[A-Z][a-z]+$/.test(text) || (/[a-z] [a-z]/i.test(text) && text.length > 7)

/** The words of a folder's charts: of its spec, with titles and names that the spec takes from elsewhere. */
function wordsOf(folder: string, specs: readonly AnySpec[]): ReadonlySet<string> {
  const source = code(join(HERE, folder, 'spec.ts'))
  const named = [...source.matchAll(/^export const [A-Z0-9_]+ = '([^']+)'/gm)].map(([, text = '']) => text)
  const labels = [...source.matchAll(/label: '([^']+)', token/g)].map(([, text = '']) => text)
  const titles = specs.flatMap(({ title, noun }) => (noun === undefined ? [title] : [title, noun]))
  return new Set([...literals(source).filter(isWords), ...named, ...labels, ...titles].filter(t => !SYNTAX.has(t)))
}

const specs = await Promise.all(Object.values(SPECS).map(load => load()))
const listed = new Map<string, AnySpec[]>()
for (const [i, [, folder = '']] of [
  ...read(join(HERE, 'specs.ts')).matchAll(/import\('\.\/([^/]+)\/spec'\)/g),
].entries()) {
  const spec = specs[i]
  if (spec) listed.set(folder, [...(listed.get(folder) ?? []), spec])
}

/** What draws charts: of the page, and all of the command line. */
const drawing = [
  ...folders.map(folder => join(HERE, folder, 'Chart.tsx')),
  ...readdirSync(CLI, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => join(CLI, name)),
]

describe('the list of charts', () => {
  it('has each folder with a spec, and no other', () => expect([...listed.keys()].sort()).toEqual(folders.sort()))
  it('has each chart under its own name', () => expect(specs.map(({ name }) => name)).toEqual(Object.keys(SPECS)))
  it('is what the command line takes', () => {
    expect(CHARTS).toEqual(Object.keys(SPECS))
    expect(USUAL.filter(name => !CHARTS.includes(name))).toEqual([])
  })
  it('is loaded one by one: nothing is imported with it', () =>
    expect(read(join(HERE, 'specs.ts'))).not.toMatch(/^import (?!type)/m))
  it('is free of React and of the page', () => {
    for (const folder of folders)
      expect(read(join(HERE, folder, 'spec.ts')), folder).not.toMatch(
        /from '(?:react|[^']*(?:\.tsx|Chart|use[A-Z]\w*))'/,
      )
  })
})

describe.each([...listed])('the words of %s', (folder, own) => {
  const words = wordsOf(folder, own)
  it('are found', () => expect(words.size).toBeGreaterThan(own.length))
  it.each(drawing.map(path => path.slice(join(HERE, '../..').length + 1)))('are not repeated in %s', path => {
    const repeated = literals(code(join(HERE, '../..', path))).filter(text =>
      [...words].some(own => text === own || (isWords(own) && own.includes(' ') && text.includes(own))),
    )
    expect(repeated).toEqual([])
  })
})
