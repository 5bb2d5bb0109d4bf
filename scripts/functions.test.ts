/**
 * No function is longer, or has more branches, than a stranger can follow. For Rust clippy counts them:
 * `parser-wasm/clippy.toml`.
 *
 * Lines are those of the whole function, with comments and with the functions in it: a component must be read in one
 * piece. Branches are paths through the function's own code: conditions, cases, loops, `catch`, `&&`, `||` and `??`;
 * those of a function inside it count there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FunctionSize, sizesOf } from './lib/functionSizes.mjs'
import { ROOT } from './lib/run.mjs'

const MAX_LINES = 100
const MAX_BRANCHES = 25

/** Samples and recorded inputs, which nobody reads as code. */
const DATA = /^tests\/(?:fixtures|found|reports|texts)\//

const files = ['web', 'cli', 'scripts', 'bench', 'tests'].flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map(path => `${folder}/${path}`)
    .filter(path => /\.(tsx?|mjs)$/.test(path) && !/\.d\.ts$|\/generated\//.test(path) && !DATA.test(path)),
)

const functions = files.flatMap(file => sizesOf(file, readFileSync(join(ROOT, file), 'utf8')))

/** Longer functions that stay, each with its reason. */
const LONG_FUNCTIONS: Readonly<Record<string, string>> = {
  'web/lib/format.ts createFormat':
    'a module with two sets of glyphs: 17 small functions, of which many call each other',
  'web/charts/picture/svgSurface.ts createSvgSurface': 'an object of the small methods of a canvas, with one state',
  'cli/plot/raster/raster.ts createRasterSurface': 'an object of the small methods of a canvas, with one state',
  'bench/page/pageWatch.mjs installWatch': 'runs inside the page, where nothing else of its module is',
}

const nameOf = ({ file, name }: FunctionSize): string => `${file} ${name}`

describe('functions', () => {
  it('are found in all folders', () => {
    for (const folder of ['web', 'cli', 'scripts', 'bench', 'tests'])
      expect(functions.some(({ file }) => file.startsWith(`${folder}/`))).toBe(true)
    expect(functions.length).toBeGreaterThan(files.length)
  })

  it(`have at most ${MAX_LINES} lines`, () => {
    const longFunctions = functions.filter(({ lines }) => lines > MAX_LINES)
    expect(
      longFunctions.filter(size => !(nameOf(size) in LONG_FUNCTIONS)).map(size => `${nameOf(size)}: ${size.lines}`),
    ).toEqual([])
    // An exception that is not needed is one that hides the next.
    expect(Object.keys(LONG_FUNCTIONS).filter(name => !longFunctions.some(size => nameOf(size) === name))).toEqual([])
  })

  it(`have at most ${MAX_BRANCHES} branches`, () => {
    const complex = functions.filter(({ branches }) => branches > MAX_BRANCHES)
    expect(complex.map(size => `${nameOf(size)}: ${size.branches}`)).toEqual([])
  })
})

describe('sizesOf', () => {
  const measure = (code: string) => sizesOf('a.tsx', code).map(({ name, lines, branches }) => [name, lines, branches])

  it('counts each way through the code of a function', () => {
    const conditions = 'if (a && b) c ?? d; else if (a) b ? c : d'
    const loops = 'for (;;) ; for (const x of y) ; for (const x in y) ; while (a) ; do {} while (a)'
    const otherBranches = 'switch (a) { case 1: case 2: break; default: } try {} catch {} a ||= b'
    expect(measure(`function f() { ${conditions} }`)).toEqual([['f', 1, 6]])
    expect(measure(`function f() { ${loops} }`)).toEqual([['f', 1, 6]])
    expect(measure(`function f() { ${otherBranches} }`)).toEqual([['f', 1, 5]])
  })

  it('counts branches of inner functions there, and their lines in both', () => {
    const code = 'const outer = () => {\n  if (a) b()\n  return () => {\n    if (c && d) e()\n  }\n}'
    expect(measure(code)).toEqual([
      ['outer', 6, 2],
      ['function', 3, 3],
    ])
  })

  it('names methods, properties and arguments', () => {
    const code =
      'class A { m() {} }\nconst o = { p: () => 1 }\nmemo(function Named() { return <b /> })\nit("x", () => 2)'
    expect(measure(code).map(([name]) => name)).toEqual(['m', 'p', 'Named', 'function'])
  })

  it('leaves out callbacks that only hold tests, as a module does', () => {
    expect(measure('describe("a", () => {\n  it("b", () => {})\n})')).toEqual([['function', 1, 1]])
    expect(measure('describe.each([1])("a", () => {})')).toEqual([])
  })

  it('rejects code that it cannot read', () => {
    expect(() => measure('function (')).toThrow('a.tsx')
  })
})
