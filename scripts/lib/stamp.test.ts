import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from './run.mjs'
import { replaceFolder, whenChanged } from './stamp.mjs'

const HERE = '.cache/stamp-test'
const at = (path: string) => join(ROOT, HERE, path)
/** Folders that are being built. */
const building = () => readdirSync(join(ROOT, '.cache')).filter(name => name.startsWith('.cache-stamp-test'))

beforeEach(() => {
  rmSync(at(''), { recursive: true, force: true })
  mkdirSync(at(''), { recursive: true })
})
afterEach(() => rmSync(at(''), { recursive: true }))

/** Builds a folder with two files that both have the source in them; `stopped` after the first one. */
const build = (source: string, stopped = false) => {
  writeFileSync(at('source'), source)
  return whenChanged({
    stamp: `${HERE}/stamp`,
    sources: [`${HERE}/source`],
    result: `${HERE}/out/index.html`,
    make: () =>
      replaceFolder(`${HERE}/out`, async folder => {
        writeFileSync(join(folder, 'index.html'), source)
        if (stopped) throw new Error('stopped')
        writeFileSync(join(folder, 'sw.js'), source)
      }),
  })
}
const result = () => ['index.html', 'sw.js'].map(name => readFileSync(at(`out/${name}`), 'utf8'))

test('a step is skipped while its sources are the same', async () => {
  expect([await build('one'), await build('one'), await build('two')]).toEqual([true, false, true])
  expect(result()).toEqual(['two', 'two'])
})

test('a stopped build leaves the result as it was, and is never taken for fresh', async () => {
  await build('one')
  await expect(build('two', true)).rejects.toThrow('stopped')
  expect(result(), 'both of one build').toEqual(['one', 'one'])
  expect(building()).toEqual([])
  expect(existsSync(at('stamp'))).toBe(false)
  expect(await build('one'), 'the sources are again those of the build before').toBe(true)
})

test('a folder that a killed run left is removed', async () => {
  // No process has this number: Linux counts to 4 million at most.
  const left = join(ROOT, '.cache', '.cache-stamp-test-out-2000000000')
  mkdirSync(left)
  writeFileSync(join(left, 'index.html'), 'half')
  await build('one')
  expect([building(), result()]).toEqual([[], ['one', 'one']])
})
