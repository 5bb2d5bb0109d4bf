import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkAll, checkModules, checkStart, firstPictureBytes, startBytes } from './weight.ts'

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

/** As Vite writes them: names of files, and a script with the indices of those that it needs. */
const WITH_VIEWS = Buffer.from(
  'm.f||(m.f=["./other.js","./views-a1.js","./views-b2.css"]),x(()=>import(`./views-a1.js`).then(e=>e.t),__vite__mapDeps([1,2]),u)',
)
const withViews = (views: Buffer) =>
  new Map([
    ...page(WITH_VIEWS),
    ['assets/views-a1.js', views],
    ['assets/views-b2.css', Buffer.from('b{}')],
    ['assets/seekscope_bg-c3.wasm', Buffer.from('engine')],
    ['assets/seekscope_rest_bg-d4.wasm', randomBytes(500_000)],
  ])

it('counts what the first picture needs, and fails when it is too heavy', () => {
  const files = withViews(randomBytes(700_000))
  expect([...firstPictureBytes(files).keys()].slice(4)).toEqual([
    'assets/views-a1.js',
    'assets/views-b2.css',
    'assets/seekscope_bg-c3.wasm',
  ])
  expect(() => checkAll(files)).not.toThrow()
  expect(() => checkAll(withViews(randomBytes(900_000)))).toThrow(/first picture needs 90\d{4} bytes/)
  expect(() => checkAll(page(Buffer.from('0')))).toThrow('was not found')
})

it('fails when all that may be fetched is too heavy', () => {
  const files = new Map([...withViews(Buffer.from('0')), ['assets/more.js', randomBytes(2_900_000)]])
  expect(() => checkAll(files)).toThrow(/all assets are 3[3-6]\d{5} bytes/)
})

it('fails when a module is too heavy, and for one without a limit', () => {
  const modules = (path: string, bytes: number) => () => checkModules(new Map([[path, randomBytes(bytes)]]))
  expect(modules('assets/statistics_bg-a1.wasm', 40_000)).not.toThrow()
  expect(modules('assets/statistics_bg-a1.wasm', 70_000)).toThrow(
    /statistics is 70\d{3} bytes gzipped, more than 45000/,
  )
  expect(modules('assets/other_bg-a1.wasm', 1)).toThrow('other has no limit')
})
