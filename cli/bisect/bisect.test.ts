/** Bisections of a real repository, whose commits change which of two recordings COMMAND delivers. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRepository, type Repository, writeDeliver } from '../../tests/bisection'
import { MAX_BISECTION_BYTES, readBisection } from '../../web/bisect/document'
import { bisectionText } from '../../web/bisect/text'
import type { BisectAnswer } from '../../web/engine/protocol'
import { contentsOf } from '../../web/fleet/stored'
import { BUNDLE, FIXTURES, run } from '../testing/run'
import { faultsOf } from '../testing/schemas'
import { judgedText } from './words'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-bisect-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const scratched = (name: string) => join(scratch, name)

const [GOOD, BAD] = [join(FIXTURES, 'sync-no-fua'), join(FIXTURES, 'sync-fua')]

const deliver = writeDeliver(scratch)
const delivering = (source: string) => [...deliver, source, '{}']

let states = 0
/** A directory for a log that no other test uses. */
function createState(): string {
  states += 1
  return scratched(`state-${states}`)
}

const sides = ['--good', GOOD, '--bad', BAD]
const step = (state: string, ...rest: readonly string[]) => run(['bisect', ...sides, '--state', state, ...rest])
const logOf = (state: string): readonly Record<string, unknown>[] =>
  readFileSync(join(state, 'log.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

describe('git bisect run', () => {
  const [COMMITS, FIRST_BAD] = [12, 7]
  const recordings = Array.from({ length: COMMITS }, (_, number) => (number < FIRST_BAD ? GOOD : BAD))
  let repository: Repository
  beforeAll(() => {
    repository = createRepository(scratch, recordings)
  })

  const seekscope = (...args: readonly string[]) => {
    const found = spawnSync(process.execPath, [BUNDLE, ...args], { cwd: repository.folder, encoding: 'utf8' })
    expect(found.status, found.stderr).toBe(0)
    return found.stdout
  }

  test('finds the commit, and reports how', () => {
    const { git, command, folder } = repository
    const firstBad = git('rev-parse', `HEAD~${COMMITS - 1 - FIRST_BAD}`)
    const newest = git('rev-parse', 'HEAD')
    const [good, bad] = ['good.parquet', 'bad.jsonl'].map(scratched)
    seekscope('digest', GOOD, '-o', String(good))
    writeFileSync(String(bad), seekscope('digest', BAD))
    const judge = [BUNDLE, 'bisect', '--good', String(good), '--bad', String(bad), '--', ...command]
    git('bisect', 'start', 'HEAD', `HEAD~${COMMITS - 1}`)
    const output = git('bisect', 'run', process.execPath, ...judge)
    expect(output).toContain(`${firstBad} is the first bad commit`)

    const report = JSON.parse(seekscope('bisect', '--report', '--json'))
    const tested = git('bisect', 'log').match(/^git bisect (?:good|bad) /gm)?.length
    expect(report).toMatchObject({ schema: 1, first_bad: firstBad, steps: tested, skipped: 0 })
    expect(report.runs).toBeGreaterThanOrEqual(report.steps)
    const subjects: readonly string[] = report.commits.map((row: { readonly subject: string }) => row.subject)
    const numbers = subjects.map(subject => Number(subject.replace('Commit ', '')))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    for (const [i, { verdict, finding }] of report.commits.entries()) {
      const isBad = (numbers[i] ?? 0) >= FIRST_BAD
      expect(verdict).toBe(isBad ? 'bad' : 'good')
      expect(finding).toEqual({ code: 'fua-appeared', present: isBad })
    }
    expect(report.next[0]).toBe(`git checkout ${newest.slice(0, 12)} && git revert --no-edit ${firstBad.slice(0, 12)}`)
    expect(report.mail).toContain(`#regzbot introduced: ${firstBad.slice(0, 12)} ("Commit ${FIRST_BAD}")`)

    const text = seekscope('bisect', '--report')
    expect(text).toContain(`${firstBad.slice(0, 12)} is the first bad commit: ${report.steps} steps`)
    expect(text).toContain('    Bisected-by: seekscope')
    const rows = seekscope('bisect', '--report', '--markdown').match(/^\| \d+ \|.*\|$/gm)
    expect(rows).toHaveLength(report.steps)

    // The page reads the same document, and says the same.
    const printed = seekscope('bisect', '--report', '--json')
    expect(faultsOf('bisect', JSON.parse(printed))).toEqual([])
    const document = readBisection(printed, 'bisection.json')
    expect(bisectionText(document)).toBe(text)
    expect(document).toMatchObject({ kind: 'bisection', candidates: COMMITS - 1, between: 0 })
    const sides = [`${firstBad}^`, firstBad].map(name => git('rev-parse', name))
    expect(document.sides.map(({ commit }) => commit)).toEqual(sides)
    for (const { commit, digests } of document.sides) {
      expect(digests.length).toBeGreaterThan(0)
      for (const digest of digests) expect(contentsOf(digest)).toMatchObject({ group: commit?.slice(0, 12) })
    }
    // All of it is in the directory of git.
    expect(git('status', '--porcelain')).toBe('')
    expect(existsSync(join(folder, '.git/seekscope-bisect/log.jsonl'))).toBe(true)

    // The check that the report proposes: the newest commit without the first bad one is good.
    git('checkout', '--quiet', newest)
    writeFileSync(join(folder, 'recording'), `${GOOD}\n`)
    git('commit', '--quiet', '--all', '--message', 'Revert it')
    const reverting = git('rev-parse', '--short=12', 'HEAD')
    seekscope(...judge.slice(1))
    expect(JSON.parse(seekscope('bisect', '--report', '--json'))).toMatchObject({ first_bad: firstBad })
    const checked = seekscope('bisect', '--report')
    expect(checked).toContain(`${firstBad.slice(0, 12)} is the first bad commit: ${report.steps + 1} steps`)
    expect(checked).toMatch(
      new RegExp(`^Step \\d+: ${reverting} comes after the first bad commit and is good: Revert it$`, 'm'),
    )
  }, 120_000)
})

describe('a step', () => {
  test('is good or bad, and logged with its digests', async () => {
    const state = createState()
    expect(await step(state, '--', ...delivering(GOOD))).toMatchObject({ status: 0, stderr: '' })
    const bad = await step(state, '--', ...delivering(BAD))
    expect(bad.status).toBe(1)
    expect(bad.stdout).toMatch(/^\S+ is bad after 1 run: .*fua-appeared is present\.\n$/)
    const rows = logOf(state)
    expect(rows.map(({ verdict }) => verdict)).toEqual(['good', 'bad'])
    expect(rows[1]?.reason).toBe(bad.stdout.trim())
    for (const { digests } of rows) expect(existsSync(join(state, String(digests)))).toBe(true)
    expect(existsSync(join(state, 'run'))).toBe(false)
  })

  test('follows the finding or the figure that is asked for', async () => {
    const state = createState()
    const asked = await step(state, '--figure', 'span', '--', ...delivering(BAD))
    expect(asked.status, asked.stdout).toBe(1)
    expect(logOf(state)[0]?.evidence).toMatchObject([{ key: 'span' }])
    const same = await step(state, '--figure', 'iops', '--', 'true')
    expect(same).toMatchObject({ status: 128, stderr: expect.stringContaining('do not differ in iops') })
    const absent = await step(state, '--finding', 'starved-while-waiting', '--', ...delivering(BAD))
    expect(absent).toMatchObject({ status: 128, stderr: expect.stringContaining('does not have the finding') })
    expect(await step(state, '--finding', 'no-such', '--', 'true')).toMatchObject({ status: 128 })
  })

  test.each([
    ['fails', ['sh', '-c', 'exit 3'], 'COMMAND ended with status 3'],
    ['is ended by a signal', ['sh', '-c', 'kill -9 $$'], 'COMMAND was ended by SIGKILL'],
    ['leaves nothing', ['true'], 'COMMAND left no recording'],
    ['leaves no recording', ['echo', 'booted'], 'COMMAND left nothing that can be read as a recording'],
    ['leaves an old recording', ['cp', '-r', GOOD, '{}'], 'COMMAND left the same recording as an earlier run'],
  ])('cannot be tested if COMMAND %s', async (_, command, reason) => {
    const state = createState()
    const { status, stdout } = await step(state, '--', ...command)
    expect(status).toBe(125)
    expect(stdout).toContain(`cannot be tested: ${reason}`)
    expect(logOf(state)).toMatchObject([{ verdict: 'skip', runs: 0 }])
  })

  test('reads a recording that COMMAND prints', async () => {
    const printing = `'${deliver.join("' '")}' '${BAD}' "$SEEKSCOPE_RECORDING.d"; tar -cC "$SEEKSCOPE_RECORDING.d" .`
    expect(await step(createState(), '--', 'sh', '-c', printing)).toMatchObject({ status: 1 })
  })

  test('ends COMMAND at the limit of time', async () => {
    const { status, stdout } = await step(createState(), '--max-time', '1', '--', 'sleep', '1000')
    expect(status).toBe(125)
    expect(stdout).toContain('COMMAND took longer than --max-time')
  })
})

describe('what makes no sense ends the bisection with 128', () => {
  test.each([
    ['a program that is not there', [...sides, '--', 'no-such-program'], 'no-such-program cannot be run'],
    ['a program within a shell that is not there', [...sides, '--', 'sh', '-c', 'no-such'], 'status 127'],
    ['no command', sides, 'missing COMMAND'],
    ['no bad side', ['--good', GOOD, '--', 'true'], 'bisect needs --bad'],
    ['a side that is not there', ['--good', GOOD, '--bad', 'no-such.parquet', '--', 'true'], 'no-such.parquet'],
    ['good and bad that are the same', ['--good', GOOD, '--bad', GOOD, '--', 'true'], 'do not differ'],
    ['a limit that is none', [...sides, '--max-runs', '0', '--', 'true'], '--max-runs: 0'],
    ['an option of another command', [...sides, '--by', 'kernel', '--', 'true'], '--by is not valid for bisect'],
    ['a format without a report', [...sides, '--json', '--', 'true'], '--json needs --report'],
  ])('%s', async (_, args, message) => {
    const { status, stdout, stderr } = await run(['bisect', '--state', createState(), ...args])
    expect({ status, stdout }).toEqual({ status: 128, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('a damaged log', async () => {
    const state = createState()
    mkdirSync(state)
    writeFileSync(join(state, 'log.jsonl'), '{"schema":1}\n')
    const { status, stderr } = await step(state, '--', ...delivering(GOOD))
    expect(status).toBe(128)
    expect(stderr).toContain('log.jsonl:1 is no row of a bisection')
  })
})

describe('--anchor', () => {
  test('measures a side again, which the next steps use', async () => {
    const state = createState()
    const anchor = ['bisect', '--anchor', 'good', '--state', state, '--max-runs', '2', '--']
    const again = await run([...anchor, ...delivering(GOOD)])
    expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('good was measured again, 2 runs') })
    expect(await step(state, '--', ...delivering(BAD))).toMatchObject({ status: 1 })
    const [row, next] = logOf(state)
    expect(row).toMatchObject({ kind: 'anchor', side: 'good', runs: 2 })
    expect(next?.evidence).toMatchObject([{ good: { runs: 2 }, bad: { runs: 1 } }, { good: { runs: 2 } }])
    // Without a repository around the log there is no first bad commit, but what was measured is told.
    const report = await run(['bisect', '--report', '--state', state])
    expect(report.stdout).toContain('good was measured again before the first step, at ')
  })

  test('of what fails is an error', async () => {
    const failing = ['bisect', '--anchor', 'bad', '--state', createState(), '--', 'false']
    expect(await run(failing)).toMatchObject({ status: 128, stderr: expect.stringContaining('bad was not measured') })
    expect(await run(['bisect', '--anchor', 'middle', '--', 'true'])).toMatchObject({ status: 128 })
  })
})

test('a report has the digests of both sides, as far as the log has them and a page can read them', () => {
  const scratchRepository = join(scratch, 'old')
  mkdirSync(scratchRepository)
  const { git, command, folder } = createRepository(scratchRepository, [GOOD, BAD, BAD])
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [BUNDLE, 'bisect', ...args], { cwd: folder, encoding: 'utf8' })
  git('bisect', 'start', 'HEAD', 'HEAD~2')
  expect(run(...sides, '--', ...command)).toMatchObject({ status: 1 })
  const read = () => readBisection(run('--report', '--json').stdout, 'bisection.json')
  expect(read().sides).toMatchObject([{ digests: [expect.any(String)] }, { step: 1, digests: [expect.any(String)] }])

  // With digests that are too large for a page, the report has none.
  const stored = join(folder, '.git/seekscope-bisect/given-good.jsonl')
  const row = JSON.parse(readFileSync(stored, 'utf8').split('\n')[0] ?? '')
  const digest = JSON.stringify({ ...JSON.parse(row.digest), path: 'x'.repeat(MAX_BISECTION_BYTES) })
  writeFileSync(stored, `${JSON.stringify({ ...row, digest })}\n`)
  expect(run('--report', '--json').stderr).toContain('bisection-too-large')
  expect(read().sides).toMatchObject([{ digests: [] }, { digests: [] }])

  rmSync(stored)
  expect(read().sides).toMatchObject([{ digests: [] }, { step: 1, digests: [expect.any(String)] }])
})

test('a report needs a step', async () => {
  const { status, stderr } = await run(['bisect', '--report', '--state', createState()])
  expect({ status, stderr }).toMatchObject({ status: 128, stderr: expect.stringContaining('no step was logged yet') })
})

describe('the line of a step', () => {
  const level = (value: number) => ({ runs: 3, value, ci95: [value - 0.01, value + 0.01] as const })
  const answer = (place: 'near' | 'beyond-good' | 'between', verdict?: 'good' | 'bad'): BisectAnswer => ({
    schema: 1,
    evidence: [
      {
        key: 'starved.share',
        label: 'Starved time',
        unit: 'share',
        of_finding: true,
        good: level(0.1),
        bad: level(0.4),
        commit: level(place === 'between' ? 0.25 : 0.05),
        place,
        ...(verdict && { verdict }),
      },
    ],
    ...(verdict && { verdict, decided_by: 0 }),
    contradicted: false,
  })

  test('says where good and bad look stale', () => {
    expect(judgedText('c', 3, answer('near', 'good'))).toBe(
      'c is good after 3 runs: Starved time 5% (4% to 6%); good 10%, bad 40%.',
    )
    const beyond = judgedText('c', 3, answer('beyond-good', 'good'))
    expect(beyond).toContain('c is good after 3 runs')
    expect(beyond).toContain('good and bad look stale. Measure them again with --anchor good and --anchor bad')
  })

  test('says why it is undecided', () => {
    const text = judgedText('c', 8, answer('between'))
    expect(text).toContain('c is undecided after 8 runs')
    expect(text).toContain('It lies between both and is like neither')
    expect(text).toContain('More runs than --max-runs allows would decide.')
  })
})
