import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from './run.mjs'
import { replaceFolder, whenChanged } from './stamp.mjs'

const FOLDER = '.cache/stamp-test'
const pathOf = (path: string) => join(ROOT, FOLDER, path)
/** Folders that this test has left unfinished. */
const foldersInProgress = () => readdirSync(join(ROOT, '.cache')).filter(name => name.startsWith('.cache-stamp-test'))

beforeEach(() => {
  rmSync(pathOf(''), { recursive: true, force: true })
  mkdirSync(pathOf(''), { recursive: true })
})
afterEach(() => rmSync(pathOf(''), { recursive: true }))

/** Builds a folder with two files that both have the source in them; `stopped` after the first one. */
const build = (source: string, stopped = false) => {
  writeFileSync(pathOf('source'), source)
  return whenChanged({
    stamp: `${FOLDER}/stamp`,
    sources: [`${FOLDER}/source`],
    result: `${FOLDER}/out/index.html`,
    make: () =>
      replaceFolder(`${FOLDER}/out`, async folder => {
        writeFileSync(join(folder, 'index.html'), source)
        if (stopped) throw new Error('stopped')
        writeFileSync(join(folder, 'sw.js'), source)
      }),
  })
}
const result = () => ['index.html', 'sw.js'].map(name => readFileSync(pathOf(`out/${name}`), 'utf8'))

test('a step is skipped while its sources are the same', async () => {
  expect([await build('one'), await build('one'), await build('two')]).toEqual([true, false, true])
  expect(result()).toEqual(['two', 'two'])
})

test('a stopped build leaves the result as it was, and is never taken for fresh', async () => {
  await build('one')
  await expect(build('two', true)).rejects.toThrow('stopped')
  expect(result(), 'both of one build').toEqual(['one', 'one'])
  expect(foldersInProgress()).toEqual([])
  expect(existsSync(pathOf('stamp'))).toBe(false)
  expect(await build('one'), 'the sources are again those of the build before').toBe(true)
})

test('a folder that a killed run left is removed', async () => {
  // No process has this number: Linux counts to 4 million at most.
  const leftover = join(ROOT, '.cache', '.cache-stamp-test-out-2000000000')
  mkdirSync(leftover)
  writeFileSync(join(leftover, 'index.html'), 'half')
  await build('one')
  expect([foldersInProgress(), result()]).toEqual([[], ['one', 'one']])
})
