/** Each chart has one spec, which lists itself by its folder; its words stand there and nowhere else. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHARTS, USUAL } from '../../cli/plot/names'
import { type AnySpec, SPECS } from './specs'

const HERE = import.meta.dirname
const CLI = join(HERE, '../../cli/plot')
/** Parts of several sentences that mean something else in each, and names of keys and of types. */
const PHRASES = new Set([
  'On',
  'Show',
  'stripes of',
  'in this run',
  'in total',
  'starts at',
  'Esc',
  'Escape',
  'Promise',
])
/** Names of charts in commands and of colours, which happen to be words of a chart, too. */
const SYNTAX = new Set(['throughput', 'iops', 'starved'])

const read = (path: string): string => readFileSync(path, 'utf8')

/** Comments are no words of a chart. */
const code = (path: string): string => read(path).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** Folders of charts; `shared` has what they have in common, the others draw the charts of these elsewhere. */
const NO_CHARTS = ['shared', 'picture', 'playback']
const folders = readdirSync(HERE, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !NO_CHARTS.includes(entry.name))
  .map(({ name }) => name)

/** Literal texts of a source, without the places of its imports. */
function literals(source: string): readonly string[] {
  const body = source
    .replace(/^(?:import|export)\b[^'"]*? from '[^']*'$/gm, '')
    .replace(/^import '[^']*'$|import\('[^']*'\)|\bclassName="[^"]*"/gm, '')
  const quoted = [...body.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text = '']) => text)
  const template = [...body.matchAll(/`((?:[^`\\]|\\.)*)`/g)].flatMap(([, text = '']) => text.split(/\$\{[^}]*\}/))
  const attributes = [...body.matchAll(/\b[a-zA-Z-]+="([^"\n]*)"/g)].map(([, text = '']) => text)
  const lines = [...body.matchAll(/^ +([A-Z][^<>{}='"`;()\n]*[a-z.])$/gm)].map(([, text = '']) => text)
  const markup = [...body.matchAll(/>([^<>{}\n]*[A-Za-z][^<>{}\n]*)</g)].map(([, text = '']) => text)
  return [...quoted, ...template, ...attributes, ...markup, ...lines].map(text => text.trim())
}

/** Whether a text is read by people: it is a sentence, a title, or it stands on its own as a name. */
const isWords = (text: string): boolean =>
  /^[A-Z][a-z]+$/.test(text) || (/[a-z] [a-z]/i.test(text) && text.length > 7 && !/^<|="|\bextends\b/.test(text))

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

/** Sources of a folder without tests. */
const sources = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /(?<!\.d|\.test)\.tsx?$/.test(name))
    .map(name => join(folder, name))

/** All that draws charts: the page, and pictures and texts of the command line. */
const drawing = [...sources(HERE), ...sources(CLI)]
/** The texts of each. */
const texts = new Map(drawing.map(path => [path, literals(code(path))]))
const textsOf = (path: string): readonly string[] => texts.get(path) ?? []

describe('the list of charts', () => {
  it('is one spec per folder', () =>
    expect(folders.filter(folder => !existsSync(join(HERE, folder, 'spec.ts')))).toEqual([]))
  it('has each chart of the command line, and each that only the page draws says so', () => {
    const ofPage = folders.filter(folder => code(join(HERE, folder, 'spec.ts')).includes("kind: 'page'"))
    expect([...listed.keys(), ...ofPage].sort()).toEqual(folders.sort())
    for (const folder of ofPage)
      expect(read(join(HERE, folder, 'spec.ts')), folder).toMatch(/^\/\*\*[^/]*\bonly the page\b/i)
  })
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

describe.each([...listed])('the words of %s', (folder, ofFolder) => {
  const words = wordsOf(folder, ofFolder)
  const others = drawing.filter(path => path.endsWith('Chart.tsx') || path.startsWith(CLI))
  it('are found', () => expect(words.size).toBeGreaterThan(ofFolder.length))
  it('are not within words of what draws them', () => {
    const repeated = others.flatMap(path =>
      textsOf(path).filter(text =>
        [...words].some(word => isWords(word) && word.includes(' ') && text !== word && text.includes(word)),
      ),
    )
    expect(repeated).toEqual([])
  })
})

describe('the words of all charts', () => {
  const places = new Map<string, string[]>()
  for (const path of drawing)
    for (const text of textsOf(path).filter(isWords))
      places.set(text, [...(places.get(text) ?? []), path.slice(join(HERE, '../..').length + 1)])
  it('are found, and of every kind', () => {
    expect(places.size).toBeGreaterThan(300)
    const examples = [
      'Queue depth',
      'No visible requests.',
      'Data table',
      'most frequent:',
      'measured at',
      'Throughput',
    ]
    const found = drawing.flatMap(textsOf)
    expect(examples.filter(text => !found.some(other => other.includes(text)))).toEqual([])
  })
  it('stand once', () => {
    const repeated = [...places].filter(([text, files]) => files.length > 1 && !PHRASES.has(text))
    expect(repeated).toEqual([])
  })
})
