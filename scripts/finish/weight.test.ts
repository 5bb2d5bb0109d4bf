import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkStart, startBytes } from './weight.ts'

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
