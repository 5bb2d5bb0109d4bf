import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkModules, checkStart, startBytes } from './weight.ts'

const page = (script: Buffer) =>
  new Map([
    [
      'index.html',
      Buffer.from(
        '<link rel="icon" href="./icon.svg"><script type="module" crossorigin src="./assets/a.js"></script><link rel="modulepreload" crossorigin href="./assets/b.js"><link rel="stylesheet" href="./assets/c.css">',
      ),
    ],
    ['assets/a.js', script],
    ['assets/b.js', Buffer.from('1')],
    ['assets/c.css', Buffer.from('a{}')],
    ['assets/later.js', randomBytes(200_000)],
  ])

it('counts the scripts and styles that the page names', () => {
  expect([...startBytes(page(Buffer.from('0'))).keys()]).toEqual([
    'index.html',
    'assets/a.js',
    'assets/b.js',
    'assets/c.css',
  ])
})

it('fails with the figure when they are too heavy, and when one is missing', () => {
  expect(() => checkStart(page(randomBytes(100_000)))).not.toThrow()
  expect(() => checkStart(page(randomBytes(150_000)))).toThrow(/is 15\d{4} bytes gzipped.*assets\/a\.js 15\d{4}/)
  const files = page(Buffer.from('0'))
  files.delete('assets/b.js')
  expect(() => checkStart(files)).toThrow('assets/b.js')
})

it('fails when a module is too heavy, and for one without a limit', () => {
  const modules = (path: string, bytes: number) => () => checkModules(new Map([[path, randomBytes(bytes)]]))
  expect(modules('assets/statistics_bg-a1.wasm', 50_000)).not.toThrow()
  expect(modules('assets/statistics_bg-a1.wasm', 70_000)).toThrow(
    /statistics is 70\d{3} bytes gzipped, more than 60000/,
  )
  expect(modules('assets/other_bg-a1.wasm', 1)).toThrow('other has no limit')
})
