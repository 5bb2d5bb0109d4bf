/**
 * `npm run test:scale [-- --archives N]`: a folder of N archives (200) through `seekscope fleet` and through the job of examples/spark on a real Spark with
 * two executors. Both must give the same rows and find the same problems, and the queries of docs/at-scale.md the same answers in DuckDB and Spark.
 * Needs Java 17; Spark comes from PyPI into the project's cache.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { ask, main, must, ROOT, Stop, say } from './lib/run.mjs'
import { commandLine } from './lib/setup.mjs'

const SPARK = '3.5.5'
const CACHE = join(ROOT, '.cache/scale')
const PYTHON = join(CACHE, 'venv/bin/python')
const CLI = join(ROOT, 'dist-cli/seekscope.mjs')
/** Every so many archives, one is cut and one has a flipped byte. */
const DAMAGED = 40

async function spark() {
  const java = ask('java', ['-version'])
  if (java === undefined) throw new Stop('Spark needs Java 17: apt-get install openjdk-17-jre-headless')
  if (ask(PYTHON, ['-c', `import pyspark; assert pyspark.__version__ == '${SPARK}'`]) !== undefined) return
  say(`Installing pyspark ${SPARK} into ${CACHE} (300 MB, once)`)
  mkdirSync(CACHE, { recursive: true })
  await must('Making a Python environment', 'python3', ['-m', 'venv', join(CACHE, 'venv')])
  await must('Installing pyspark', PYTHON, ['-m', 'pip', 'install', '-q', `pyspark==${SPARK}`])
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
      const at = Math.floor(bytes.length / 3)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
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

await main(async () => {
  const { values: given } = parseArgs({ options: { archives: { type: 'string', default: '200' } } })
  await commandLine()
  await spark()
  const [folder, table, output] = [join(CACHE, 'archives'), join(CACHE, 'fleet.parquet'), join(CACHE, 'spark')]
  makeArchives(folder, Number(given.archives))
  for (const old of [table, `${table}.journal`, join(CACHE, 'requests.parquet'), output]) rmSync(old, { recursive: true, force: true })

  const fleet = timed('seekscope fleet', process.execPath, [CLI, 'fleet', folder, '-o', table])
  say(fleet.stderr.trim().split('\n').at(-1) ?? '')
  const job = submit([join(ROOT, 'examples/spark/fleet.py'), folder, '--output', output, '--requests', '--seekscope', `${process.execPath} ${CLI}`])
  if (job.status !== 0) throw new Stop(job.stderr.slice(-3000))
  say(job.stderr.split('\n').find(line => /rows of digests/.test(line)) ?? '')

  const connection = await (await DuckDBInstance.create()).connect()
  /** @param {string} sql */
  const rows = async sql => (await connection.runAndReadAll(sql)).getRowObjectsJson()
  /** @param {string} sql */
  const number = async sql => Number(Object.values((await rows(sql))[0] ?? {})[0])
  const ours = `'${table}'`
  const theirs = `read_parquet('${output}/digests/**/*.parquet', hive_partitioning = true)`
  // Partitions have what a name of a folder cannot have.
  const described = await rows(`DESCRIBE SELECT * FROM ${ours}`)
  const figures = described
    .filter(({ column_type: type, column_name: name }) => type === 'DOUBLE' && name !== undefined)
    .map(row => String(row.column_name))
  const present = new Set((await rows(`DESCRIBE SELECT * FROM ${theirs}`)).map(row => String(row.column_name)))
  const compared = ['sha256', 'position', 'dev', 'run', 'events', 'lost_events', 'iops_bins', ...figures.filter(name => present.has(name))]
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
  const held = lacking.length > 0 ? await number(`SELECT ${lacking.map(name => `count("${name}")`).join(' + ')} FROM ${ours}`) : 0
  expectThat(held === 0, `the ${lacking.length} columns that Spark's table lacks are absent in all rows`)
  const base = "regexp_extract(source, '[^/]+$')"
  const [a, b] = [
    `SELECT DISTINCT ${base}, code FROM '${table.replace('.parquet', '.errors.parquet')}'`,
    `SELECT DISTINCT ${base}, code FROM '${output}/errors/*.parquet'`,
  ]
  expectThat(
    (await number(`SELECT count(*) FROM ((${a}) EXCEPT (${b}))`)) + (await number(`SELECT count(*) FROM ((${b}) EXCEPT (${a}))`)) === 0,
    `the same problems (${await number(`SELECT count(*) FROM (${a})`)})`,
  )

  const document = readFileSync(join(ROOT, 'docs/at-scale.md'), 'utf8')
  const fixtures = ['ext4-buffered-6.1', 'ext4-buffered-6.12', 'raid5-aligned', 'raid5-misaligned'].map(name => join(ROOT, 'tests/fixtures', name))
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
  const views = { requests: join(CACHE, 'requests.parquet'), digests: join(CACHE, 'digests.parquet'), fleet: table }
  const queries = [...document.matchAll(/```sql\n(.*?)```/gs)]
    .map(([, text = '']) => text.trim().replace(/;$/, ''))
    .filter(text => /^SELECT/i.test(text))
  for (const [name, path] of Object.entries(views)) await connection.run(`CREATE VIEW ${name} AS FROM '${path}'`)
  const asked = join(CACHE, 'queries.json')
  writeFileSync(asked, JSON.stringify({ views, queries }))
  const answered = submit([join(ROOT, 'scripts/scale/queries.py'), asked])
  const answers = /^ANSWERS (.*)$/m.exec(answered.stdout)?.[1]
  if (answers === undefined) throw new Stop(answered.stderr.slice(-3000))
  /** @param {unknown} value */
  const plain = value => (typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value)
  /** @param {readonly Record<string, unknown>[]} table */
  const comparable = table => JSON.stringify(table.map(row => Object.values(row).map(plain)))
  for (const [i, answer] of JSON.parse(answers).entries()) {
    const own = await rows(queries[i] ?? '')
    expectThat(
      own.length > 0 && comparable(own) === comparable(answer),
      `query ${i + 1} of docs/at-scale.md: ${own.length} rows, the same in DuckDB and Spark`,
    )
  }
  expectThat(existsSync(join(output, 'requests')), 'requests are written')
})
