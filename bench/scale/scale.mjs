/**
 * A folder of archives through `seekscope fleet`, and through the job of examples/spark on a real Spark with two
 * executors. Both must give the same rows and find the same problems, and the queries of docs/at-scale.md the same
 * answers in DuckDB, in Spark, and as DataFrames. Change points over builds must be the same from `seekscope builds`
 * and from the job, and where PELT of ruptures finds them. Needs Java 17; Spark and ruptures come from PyPI into the
 * project's cache.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ask, must, ROOT, Stop, say } from '../../scripts/lib/run.mjs'
import { commandLine } from '../../scripts/lib/setup.mjs'
import { readNumber } from '../lib/bench.mjs'
import { JOBS, makeBuilds } from './builds.mjs'

const SPARK = '3.5.5'
const RUPTURES = '1.1.10'
const CACHE = join(ROOT, '.cache/scale')
const PYTHON = join(CACHE, 'venv/bin/python')
const CLI = join(ROOT, 'dist-cli/seekscope.mjs')
/** Every so many archives, one is cut and one has a flipped byte. */
const DAMAGED = 40
/** Larger archives are opened by the processes of the job instead of being handed over by Spark: some of them here. */
const LARGEST = 40_000

/** Functions of examples/spark/queries.py and the queries of docs/at-scale.md that they are, by a word of their own. */
const FRAMES = [
  { name: 'kernels', word: 'kernel_a', where: "source = 'repeat.tar.xz'", args: ['6.1', '6.12'] },
  { name: 'repeats', word: 'iops_noise', where: undefined, args: [] },
  { name: 'sweep', word: 'ROLLUP', where: "source = 'sync-writes.tar.xz'", args: ['ext4', 'xfs'] },
  { name: 'slowest', word: 'tail_threshold_ns', where: "source IN ('seq-readers.tar.xz', 'sorting.tar.xz')", args: [] },
]

async function spark() {
  const java = ask('java', ['-version'])
  if (java === undefined) throw new Stop('Spark needs Java 17: apt-get install openjdk-17-jre-headless')
  if (
    ask(PYTHON, [
      '-c',
      `from importlib.metadata import version as v; assert (v('pyspark'), v('ruptures')) == ('${SPARK}', '${RUPTURES}')`,
    ]) !== undefined
  )
    return
  say(`Installing pyspark ${SPARK} and ruptures ${RUPTURES} into ${CACHE} (400 MB, once)`)
  mkdirSync(CACHE, { recursive: true })
  await must('Making a Python environment', 'python3', ['-m', 'venv', join(CACHE, 'venv')])
  await must('Installing pyspark', PYTHON, ['-m', 'pip', 'install', '-q', `pyspark==${SPARK}`, `ruptures==${RUPTURES}`])
}

/** Copies of the recordings of the tests under other names. @param {string} folder @param {number} count */
function makeArchives(folder, count) {
  rmSync(folder, { recursive: true, force: true })
  const stories = join(ROOT, 'tests/stories')
  const sources = readdirSync(stories).map(name => join(stories, name))
  for (let i = 0; i < count; i += 1) {
    const file = join(folder, `lab${i % 4}/recording-${String(i).padStart(5, '0')}.tar.xz`)
    mkdirSync(join(folder, `lab${i % 4}`), { recursive: true })
    cpSync(sources[i % sources.length] ?? '', file)
    if (i % DAMAGED === 5) truncateSync(file, 200)
    if (i % DAMAGED === 6) {
      const bytes = readFileSync(file)
      const offset = Math.floor(bytes.length / 3)
      bytes[offset] = (bytes[offset] ?? 0) ^ 0xff
      writeFileSync(file, bytes)
    }
  }
}

/** @param {string} what @param {string} program @param {readonly string[]} args */
function timed(what, program, args) {
  const begin = Date.now()
  const env = {
    ...process.env,
    PYSPARK_PYTHON: PYTHON,
    SPARK_HOME: ask(PYTHON, ['-c', 'import pyspark, os; print(os.path.dirname(pyspark.__file__))']) ?? '',
  }
  const done = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 30, env })
  say(`${what}: ${((Date.now() - begin) / 1000).toFixed(1)} s`)
  return done
}

/** @param {readonly string[]} args */
const submit = args =>
  timed('Spark, two executors', join(CACHE, 'venv/bin/spark-submit'), [
    '--master',
    'local-cluster[2,1,1024]',
    '--conf',
    'spark.ui.enabled=false',
    ...args,
  ])

/** @param {boolean} holds @param {string} what */
function expectThat(holds, what) {
  if (!holds) throw new Stop(`FAILED: ${what}`)
  say(`ok: ${what}`)
}

/**
 * Change points of made builds: by the command, by the job, and by ruptures.
 * @param {(sql: string) => Promise<readonly Record<string, unknown>[]>} rows @param {(sql: string) =>
 * Promise<number>} number
 */
async function overBuilds(rows, number) {
  const [lines, table, found, output] = ['builds.jsonl', 'builds.parquet', 'changes.parquet', 'spark-builds'].map(
    name => join(CACHE, name),
  )
  if (!lines || !table || !found || !output) return
  for (const old of [table, found, output]) rmSync(old, { recursive: true, force: true })
  const { stdout } = timed('seekscope digest', process.execPath, [
    CLI,
    'digest',
    join(ROOT, 'tests/stories/held.tar.xz'),
  ])
  const values = makeBuilds(JSON.parse(stdout.split('\n', 1)[0] ?? ''), lines)
  await rows(`COPY (SELECT * FROM read_json('${lines}', maximum_object_size = 100000000)) TO '${table}'`)
  const builds = timed('seekscope builds', process.execPath, [
    CLI,
    'builds',
    '--digests',
    table,
    '--by',
    'build',
    '--figure',
    'iops',
    '-o',
    found,
    '--json',
  ])
  if (builds.status !== 0) throw new Stop(builds.stderr)
  const job = submit([
    join(ROOT, 'examples/spark/builds.py'),
    table,
    '--output',
    output,
    '--by',
    'build',
    '--seekscope',
    `${process.execPath} ${CLI}`,
    '--',
    '--figure',
    'iops',
  ])
  if (job.status !== 0) throw new Stop(job.stderr.slice(-3000))
  const columns = (await rows(`DESCRIBE SELECT * FROM '${found}'`)).map(row => `"${row.column_name}"`).join(', ')
  const theirs = `'${output}/changes/*.parquet'`
  expectThat(
    (await number(`SELECT count(*) FROM '${output}/errors/*.parquet'`)) === 0,
    'the job over builds has no errors',
  )
  const same = `SELECT count(*) FROM ((SELECT ${columns} FROM '${found}' EXCEPT ALL SELECT ${columns} FROM ${theirs}) UNION ALL (SELECT ${columns} FROM ${theirs} EXCEPT ALL SELECT ${columns} FROM '${found}'))`
  const changes = await number(`SELECT count(*) FROM '${found}'`)
  expectThat(
    changes > 0 && (await number(same)) === 0,
    `${changes} change points over builds, the same from the command and from Spark`,
  )
  const asked = join(CACHE, 'series.json')
  writeFileSync(asked, JSON.stringify(values))
  const pelt = timed('ruptures', PYTHON, [join(ROOT, 'bench/scale/changes.py'), asked])
  const places = JSON.parse(/^FOUND (.*)$/m.exec(pelt.stdout)?.[1] ?? 'null')
  if (!places) throw new Stop(pelt.stderr)
  const ours = Array.from({ length: JOBS }, () => /** @type {number[]} */ ([]))
  for (const row of await rows(`SELECT workload, build FROM '${found}' ORDER BY build::INT`))
    ours[Number(String(row.workload).replace('job-', ''))]?.push(Number(row.build) - 1)
  const alike = ours.filter((found, i) => JSON.stringify(found) === JSON.stringify(places[i])).length
  expectThat(alike >= 0.9 * JOBS, `change points of ${alike} of ${JOBS} series are those of ruptures`)
}

/**
 * DuckDB in memory.
 * @typedef {object} Database
 * @property {(sql: string) => Promise<readonly Record<string, unknown>[]>} rows
 * @property {(sql: string) => Promise<number>} number of the first column of the first row
 * @property {(sql: string) => Promise<unknown>} run
 */

/** @returns {Promise<Database>} */
async function openDatabase() {
  // Loaded only here: `--help` works before anything is installed.
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create()).connect()
  /** @param {string} sql */
  const rows = async sql => (await connection.runAndReadAll(sql)).getRowObjectsJson()
  return {
    rows,
    number: async sql => Number(Object.values((await rows(sql))[0] ?? {})[0]),
    run: sql => connection.run(sql),
  }
}

/**
 * The table of `seekscope fleet` and the output of the Spark job, of the same folder.
 * @typedef {{ folder: string, table: string, output: string }} Fleet
 */

/** @param {Fleet} fleet */
function makeFleet({ folder, table, output }) {
  const fleet = timed('seekscope fleet', process.execPath, [CLI, 'fleet', folder, '-o', table])
  say(fleet.stderr.trim().split('\n').at(-1) ?? '')
  const job = submit([
    join(ROOT, 'examples/spark/fleet.py'),
    folder,
    '--output',
    output,
    '--requests',
    '--largest',
    String(LARGEST),
    '--seekscope',
    `${process.execPath} ${CLI}`,
  ])
  if (job.status !== 0) throw new Stop(job.stderr.slice(-3000))
  say(job.stderr.split('\n').find(line => /rows of digests/.test(line)) ?? '')
}

/**
 * Both tables must have the same rows. Returns the columns that both have, for SQL.
 * @param {Database} database @param {Fleet} fleet
 */
async function compareRows({ rows, number }, { table, output }) {
  const ours = `'${table}'`
  const theirs = `read_parquet('${output}/digests/**/*.parquet', hive_partitioning = true)`
  // Partitions have what a name of a folder cannot have.
  const described = await rows(`DESCRIBE SELECT * FROM ${ours}`)
  const figures = described
    .filter(({ column_type: type, column_name: name }) => type === 'DOUBLE' && name !== undefined)
    .map(row => String(row.column_name))
  const present = new Set((await rows(`DESCRIBE SELECT * FROM ${theirs}`)).map(row => String(row.column_name)))
  const compared = [
    'sha256',
    'position',
    'dev',
    'run',
    'events',
    'lost_events',
    'iops_bins',
    ...figures.filter(name => present.has(name)),
  ]
  const list = compared.map(name => `"${name}"`).join(', ')
  expectThat((await number(`SELECT count(*) FROM ${ours}`)) > 0, 'the fleet has rows')
  expectThat(
    (await number(`SELECT count(*) FROM (SELECT ${list} FROM ${ours} EXCEPT ALL SELECT ${list} FROM ${theirs})`)) === 0,
    `no row of the fleet is missing in Spark's table (${compared.length} columns)`,
  )
  expectThat(
    (await number(`SELECT count(*) FROM (SELECT ${list} FROM ${theirs} EXCEPT ALL SELECT ${list} FROM ${ours})`)) === 0,
    "no row of Spark's table is missing in the fleet",
  )
  const lacking = figures.filter(name => !present.has(name))
  const held =
    lacking.length > 0 ? await number(`SELECT ${lacking.map(name => `count("${name}")`).join(' + ')} FROM ${ours}`) : 0
  expectThat(held === 0, `the ${lacking.length} columns that Spark's table lacks are absent in all rows`)
  return list
}

/** Both must find the same problems. @param {Database} database @param {Fleet} fleet */
async function compareProblems({ number }, { table, output }) {
  const base = "regexp_extract(source, '[^/]+$')"
  const [a, b] = [
    `SELECT DISTINCT ${base}, code FROM '${table.replace('.parquet', '.errors.parquet')}'`,
    `SELECT DISTINCT ${base}, code FROM '${output}/errors/*.parquet'`,
  ]
  expectThat(
    (await number(`SELECT count(*) FROM ((${a}) EXCEPT (${b}))`)) +
      (await number(`SELECT count(*) FROM ((${b}) EXCEPT (${a}))`)) ===
      0,
    `the same problems (${await number(`SELECT count(*) FROM (${a})`)})`,
  )
}

/** Partitions of a fleet have the rows of its table. @param {Database} database @param {Fleet} fleet @param {string} list */
async function comparePartitions({ number }, { folder, table }, list) {
  const parts = join(CACHE, 'fleet-parts')
  timed(`seekscope fleet -o ./fleet-parts/`, process.execPath, [CLI, 'fleet', folder, '-o', `${parts}/`])
  const ours = `'${table}'`
  const partitioned = `read_parquet('${CACHE}/fleet-parts/**/*.parquet', hive_partitioning = true)`
  const both = `kernel, device, ${list}`
  expectThat(
    (await number(
      `SELECT count(*) FROM ((SELECT ${both} FROM ${ours} EXCEPT ALL SELECT ${both} FROM ${partitioned}) UNION ALL (SELECT ${both} FROM ${partitioned} EXCEPT ALL SELECT ${both} FROM ${ours}))`,
    )) === 0,
    'the partitions of the fleet have the rows of its table',
  )
}

/** Tables of the tests' recordings, by the names that the queries of the document use. */
function makeViews() {
  const fixtures = ['ext4-buffered-6.1', 'ext4-buffered-6.12', 'raid5-aligned', 'raid5-misaligned'].map(name =>
    join(ROOT, 'tests/fixtures', name),
  )
  for (const [command, file] of [
    ['requests', 'requests.parquet'],
    ['digest', 'digests.parquet'],
  ])
    timed(`seekscope ${command}`, process.execPath, [
      CLI,
      command ?? '',
      ...fixtures,
      '--stripe',
      'unit=256KiB,disks=4,level=raid5',
      '-o',
      join(CACHE, file ?? ''),
    ])
  const [stories, parts] = [join(CACHE, 'stories.parquet'), join(CACHE, 'parts')]
  for (const target of [stories, `${parts}/`])
    timed(`seekscope fleet -o ${target.replace(CACHE, '.')}`, process.execPath, [
      CLI,
      'fleet',
      join(ROOT, 'tests/stories'),
      '-o',
      target,
    ])
  return {
    requests: join(CACHE, 'requests.parquet'),
    digests: join(CACHE, 'digests.parquet'),
    fleet: stories,
    partitions: parts,
  }
}

/** Queries of docs/at-scale.md and DataFrames of queries.py have the same answers in DuckDB and Spark. @param {Database} database */
async function compareQueries({ rows, run }) {
  const document = readFileSync(join(ROOT, 'docs/at-scale.md'), 'utf8')
  const views = makeViews()
  const queries = [...document.matchAll(/```sql\n(.*?)```/gs)]
    .map(([, text = '']) => text.trim().replace(/;$/, ''))
    .filter(text => /^(?:SELECT|WITH)/i.test(text))
  for (const [name, path] of Object.entries(views)) {
    const from = name === 'partitions' ? `read_parquet('${path}/**/*.parquet', hive_partitioning = true)` : `'${path}'`
    await run(`CREATE VIEW ${name} AS FROM ${from}`)
  }
  const asked = join(CACHE, 'queries.json')
  writeFileSync(asked, JSON.stringify({ views, queries, frames: FRAMES.map(frame => ({ ...frame, view: 'fleet' })) }))
  const answered = submit([join(ROOT, 'bench/scale/queries.py'), asked])
  const answers = /^ANSWERS (.*)$/m.exec(answered.stdout)?.[1]
  if (answers === undefined) throw new Stop(answered.stderr.slice(-3000))
  /** @param {unknown} value */
  const plain = value =>
    typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value
  /** @param {readonly Record<string, unknown>[]} table */
  const comparable = table => JSON.stringify(table.map(row => Object.values(row).map(plain)))
  const { queries: inSql, frames } = JSON.parse(answers)
  for (const [i, { name, word }] of FRAMES.entries()) {
    const table = await rows(queries.find(text => text.includes(word)) ?? '')
    expectThat(
      table.length > 0 && comparable(table) === comparable(frames[i]),
      `${name} of queries.py: ${table.length} rows, the same as the query in DuckDB`,
    )
  }
  for (const [i, answer] of inSql.entries()) {
    const table = await rows(queries[i] ?? '')
    expectThat(
      table.length > 0 && comparable(table) === comparable(answer),
      `query ${i + 1} of docs/at-scale.md: ${table.length} rows, the same in DuckDB and Spark`,
    )
  }
}

/** @type {import('../lib/bench.mjs').Bench} */
export const scale = {
  summary: '`seekscope fleet` beside the job of examples/spark on a real Spark: same rows, queries and change points',
  options: {
    archives: { type: 'string', default: '200', help: 'how many are made' },
    folder: { type: 'string', help: 'archives of your own, instead of made ones' },
  },
  async run({ values: { archives, folder: chosen } }) {
    const count = readNumber(archives)
    await commandLine()
    await spark()
    const fleet = {
      folder: resolve(chosen ?? join(CACHE, 'archives')),
      table: join(CACHE, 'fleet.parquet'),
      output: join(CACHE, 'spark'),
    }
    const { folder, table, output } = fleet
    if (chosen === undefined) makeArchives(folder, count)
    for (const old of [table, `${table}.journal`, join(CACHE, 'requests.parquet'), join(CACHE, 'fleet-parts'), output])
      rmSync(old, { recursive: true, force: true })
    makeFleet(fleet)
    const database = await openDatabase()
    const list = await compareRows(database, fleet)
    await compareProblems(database, fleet)
    await comparePartitions(database, fleet, list)
    await compareQueries(database)
    expectThat(existsSync(join(output, 'requests')), 'requests are written')
    await overBuilds(database.rows, database.number)
  },
}
