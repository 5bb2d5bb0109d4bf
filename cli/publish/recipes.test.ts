/** The recipes of docs/guide/pipelines.md, as they are there, on trees of results with real recordings. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rowsOfTable } from '../fleet/tables'
import { FIXTURES, ROOT, shell } from '../testing/run'
import { runNames } from './runs'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-recipes-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const DOCUMENT = readFileSync(join(ROOT, 'docs/guide/pipelines.md'), 'utf8')

/** The shell block below a heading. */
function recipe(heading: string): string {
  const [, section = ''] = DOCUMENT.split(`\n### ${heading}\n`)
  const [, block] = /^```sh\n(.*?)^```$/ms.exec(section.split(/^#{2,3} /m)[0] ?? '') ?? []
  if (block === undefined) throw new Error(`no recipe for ${heading}`)
  return block
}

const HEADINGS = [...DOCUMENT.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading)

/** Recipes call `publish` without `--base`; the copy of the page is left out here. */
const COMMAND = 'seekscope() { "$NODE" "$BUNDLE" "$@" --base https://seekscope.example/; }\n'

/** Runs a recipe. */
async function publishTree(heading: string, into: string, env: Readonly<Record<string, string>>) {
  const answer = await shell(COMMAND + recipe(heading), { RUNS: into, ...env })
  expect(answer.status, answer.stderr).toBe(0)
  return answer.stderr
}

const facts = (into: string, name: string) => JSON.parse(readFileSync(join(into, 'runs', name, 'run.json'), 'utf8'))

/** Runs by a label, with those that they were compared with. */
const baselines = (into: string) =>
  Object.fromEntries(runNames(into).map(name => [name, facts(into, name).baseline.length as number]))

function archive(recording: string, file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  expect(spawnSync('tar', ['-czf', file, '-C', FIXTURES, recording]).status).toBe(0)
}

const newTree = (name: string) => {
  const root = join(scratch, name)
  mkdirSync(root)
  return { root, into: join(root, 'www') }
}

test('each recipe is tested', () => {
  expect(HEADINGS).toEqual(['LKP', 'fsperf', 'xfstests', 'KernelCI'])
})

test.each(HEADINGS)('%s: the recipe is POSIX shell', heading => {
  expect(spawnSync('sh', ['-n'], { input: recipe(heading), encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})

test('LKP', async () => {
  const { root, into } = newTree('lkp')
  const [good, bad] = ['1'.repeat(40), '2'.repeat(40)] as const
  const place = (commit: string, n: number) =>
    join(root, `result/fio-basic/4k-100%-sync/lkp-1/debian-12/x86_64-rhel-9.4/gcc-12/${commit}/${n}`)
  for (const [commit, n, recording] of [
    [good, 0, 'sync-fua'],
    [good, 1, 'sync-fua'],
    [bad, 0, 'sync-no-fua'],
  ] as const) {
    cpSync(join(FIXTURES, recording), place(commit, n), { recursive: true })
    writeFileSync(join(place(commit, n), 'job.yaml'), 'testcase: fio-basic\n')
  }
  const packed = readdirSync(place(bad, 0)).filter(name => name.includes('.blktrace.'))
  for (const name of packed) expect(spawnSync('gzip', [join(place(bad, 0), name)]).status).toBe(0)
  // A result without a recording.
  mkdirSync(place(bad, 1), { recursive: true })
  const env = { RESULT: join(root, 'result'), BASE: good }
  await publishTree('LKP', into, env)
  const names = runNames(into)
  expect(names.map(name => name.replace(/\d+$/, 'SUM'))).toEqual([
    `fio-basic-${good}-0-SUM`,
    `fio-basic-${good}-1-SUM`,
    `fio-basic-${bad}-0-SUM`,
  ])
  expect(Object.values(baselines(into))).toEqual([0, 1, 2])
  expect(facts(into, names[2] ?? '').labels).toEqual({
    job: 'fio-basic',
    params: '4k-100%-sync',
    host: 'lkp-1',
    distro: 'debian-12',
    config: 'x86_64-rhel-9.4',
    compiler: 'gcc-12',
    commit: bad,
  })
  // Nothing is published twice.
  expect(await publishTree('LKP', into, env)).toBe('')
})

test('fsperf', async () => {
  const { root, into } = newTree('fsperf')
  const results = join(root, 'results')
  archive('sync-fua', join(results, 'dio-4k.tar.gz'))
  cpSync(join(ROOT, 'tests/notes/fio-rw.json'), join(results, 'dio-4k.json'))
  const env = { RESULTS: results, CONFIG: 'btrfs', BASE: '6.1' }
  await publishTree('fsperf', into, { ...env, KERNEL: '6.1' })
  archive('sync-no-fua', join(results, 'dio-4k.tar.gz'))
  await publishTree('fsperf', into, { ...env, KERNEL: '6.12' })
  expect(Object.entries(baselines(into)).map(([name, runs]) => [name.replace(/\d+$/, 'SUM'), runs])).toEqual([
    ['6.1-btrfs-dio-4k-SUM', 0],
    ['6.12-btrfs-dio-4k-SUM', 1],
  ])
  const rows = await rowsOfTable(join(into, 'fleet.parquet'))
  expect(rows.map(({ kernel, config, test: name }) => [kernel, config, name])).toEqual([
    ['6.1', 'btrfs', 'dio-4k'],
    ['6.12', 'btrfs', 'dio-4k'],
  ])
  // The output of fio has become figures of the run.
  for (const { bench } of rows) expect(String(bench)).toContain('"key"')
})

test('xfstests', async () => {
  const { root, into } = newTree('xfstests')
  const results = join(root, 'results')
  for (const [path, recording] of [
    ['xfs_4k/generic/013', 'sync-fua'],
    ['xfs_4k/generic/027', 'io-errors'],
  ] as const)
    archive(recording, join(results, `${path}.tar.gz`))
  writeFileSync(join(results, 'xfs_4k/check.time'), 'generic/013 21\n')
  writeFileSync(join(results, 'xfs_4k/generic/027.out.bad'), 'QA output created by 027\n')
  await publishTree('xfstests', into, { RESULTS: results, KERNEL: '6.1', BASE: '6.1' })
  archive('sync-no-fua', join(results, 'xfs_4k/generic/013.tar.gz'))
  writeFileSync(join(results, 'xfs_4k/check.time'), 'generic/013 34\n')
  await publishTree('xfstests', into, { RESULTS: results, KERNEL: '6.12', BASE: '6.1' })
  expect(baselines(into)).toEqual({
    '6.1-xfs_4k-generic-013': 0,
    '6.1-xfs_4k-generic-027': 0,
    '6.12-xfs_4k-generic-013': 1,
    '6.12-xfs_4k-generic-027': 1,
  })
  const labels = (name: string) => {
    const { result, seconds } = facts(into, name).labels
    return [result, seconds]
  }
  expect(labels('6.12-xfs_4k-generic-013')).toEqual(['pass', '34'])
  expect(labels('6.12-xfs_4k-generic-027')).toEqual(['fail', 'unknown'])
})

const hasJq = spawnSync('jq', ['--version']).status === 0

test.runIf(hasJq)('KernelCI', async () => {
  const { root, into } = newTree('kernelci')
  const [good, bad] = ['3'.repeat(40), '4'.repeat(40)] as const
  const url = (file: string) => `https://storage.example/pipelines/${file}`
  const report = {
    version: { major: 5, minor: 3 },
    checkouts: [good, bad].map((git_commit_hash, i) => ({ id: `ci:${i}`, origin: 'ci', git_commit_hash })),
    builds: [0, 1].map(i => ({
      id: `ci:b${i}`,
      origin: 'ci',
      checkout_id: `ci:${i}`,
      architecture: 'x86_64',
      config_name: 'defconfig',
    })),
    tests: [0, 1].map(i => ({
      id: `ci:b${i}/boot <&>`,
      origin: 'ci',
      build_id: `ci:b${i}`,
      path: 'fio.sync',
      status: 'PASS',
      output_files: [
        { name: 'console.log', url: url(`${i}/console.log`) },
        { name: 'blktrace.tar.gz', url: url(`${i}/blktrace.tar.gz`) },
      ],
    })),
  }
  writeFileSync(
    join(root, 'report.json'),
    JSON.stringify({ ...report, tests: [...report.tests, { id: 'ci:none', build_id: 'ci:b0' }] }),
  )
  const artifacts = join(root, 'artifacts')
  archive('sync-fua', join(artifacts, 'pipelines/0/blktrace.tar.gz'))
  archive('sync-no-fua', join(artifacts, 'pipelines/1/blktrace.tar.gz'))
  await publishTree('KernelCI', into, { REPORT: join(root, 'report.json'), ARTIFACTS: artifacts, BASE: good })
  expect(baselines(into)).toEqual({ 'ci-b0-boot----': 0, 'ci-b1-boot----': 1 })
  expect(facts(into, 'ci-b1-boot----').labels).toEqual({
    commit: bad,
    path: 'fio.sync',
    status: 'PASS',
    arch: 'x86_64',
    config: 'defconfig',
    compiler: 'unknown',
  })
})
