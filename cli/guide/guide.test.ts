/** The guide for scripts: every command in it runs, and what it says of documents is in their schemas. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_NAMES, commandSpec } from '../commands'
import { writeBuilds } from '../testing/builds'
import { FIXTURES, ROOT, run, shell } from '../testing/run'
import { guide } from './guide'
import { descriptionOf } from './keys'
import { KEYS, QUESTIONS, RECIPES } from './pages'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-guide-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

beforeAll(async () => {
  const copy = (from: string, to: string) => cpSync(join(ROOT, from), join(scratch, to), { recursive: true })
  copy('public/samples/idling/a', 'before')
  copy('public/samples/idling/b', 'after')
  copy('tests/origin/ext4-6.12-fio3.tar.xz', 'mapped.tar.xz')
  copy('tests/tables/readahead.txt', 'results.txt')
  copy('tests/stalls/freeze-6.12.tar.xz', 'stall')
  mkdirSync(join(scratch, 'repeats/dd'), { recursive: true })
  for (let i = 1; i <= 7; i += 1)
    cpSync(join(FIXTURES, i <= 4 ? 'sync-fua' : 'sync-no-fua'), join(scratch, `repeats/dd/r${i}`), { recursive: true })
  await writeBuilds(join(scratch, 'builds.jsonl'))
})

/** What else the lines of the guide need: without it they are checked where it is. */
const needs = (lines: readonly string[]): readonly string[] =>
  ['jq', 'curl'].filter(program => lines.some(line => new RegExp(`\\b${program} `).test(line)))

describe('the page', () => {
  const lines = guide().split('\n')

  test('is ASCII in 80 columns, and one page', async () => {
    expect(await run(['guide'])).toEqual({ status: 0, stdout: guide(), stderr: '' })
    expect(guide()).toMatch(/^[\x20-\x7e\n]+$/)
    expect(lines.filter(line => line.length > 80)).toEqual([])
    expect(lines.length).toBeGreaterThan(150)
    expect(lines.length).toBeLessThanOrEqual(270)
  })

  test('names every command that gives figures or is for scripts', () => {
    const named = COMMAND_NAMES.filter(name =>
      ['Recording', 'Figures', 'For scripts'].includes(commandSpec(name).group),
    )
    expect(named.length).toBeGreaterThan(10)
    for (const name of named.filter(name => name !== 'guide')) expect(guide()).toMatch(new RegExp(`\\b${name}\\b`))
  })

  test('describes each key with the words of its schema', () => {
    for (const [name, paths] of KEYS) for (const path of paths) expect(descriptionOf(name, path), path).toMatch(/\w/)
    expect(descriptionOf('summary', 'traces[].device')).toBeUndefined()
  })
})

describe('commands of the guide', () => {
  const scripts = [
    ...QUESTIONS.map(({ question, lines }) => [question, lines] as const),
    ...RECIPES.map(({ what, lines }) => [what, lines] as const),
  ]
  test.runIf(needs(scripts.flatMap(([, lines]) => lines)).every(has)).each(scripts)(
    '%s',
    async (_, lines) => {
      const { status, stdout, stderr } = await shell(`cd ${scratch}; set -eo pipefail\n${lines.join('\n')}`)
      // Of the two recordings, the second one is slower.
      const expected = lines.some(line => line.includes('--fail-if')) ? 3 : 0
      expect({ status, stderr }).toMatchObject({ status: expected })
      expect(stdout).not.toBe('')
      expect(stdout).not.toMatch(/^(?:null|\{\}|\[\])$/m)
    },
    60_000,
  )
})
