/** Real documents satisfy their schemas, and what is changed in them does not. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JsonSchema, QUERIES } from '../../web/engine/generated/schemas'
import { COMMAND_NAMES, commandSpec } from '../commands'
import { writeBuilds } from '../testing/builds'
import { FIXTURES, ROOT, run } from '../testing/run'
import { compiled, faultsOf, looseness } from '../testing/schemas'
import { DOCUMENT_NAMES, type DocumentName, documentSource } from './documents'
import { definitionsOf, schemaOf } from './schema'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-schema-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const inTests = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(join(ROOT, 'tests', folder))
    .filter(name => pattern.test(name))
    .map(name => `tests/${folder}/${name}`)

/** Recordings of each kind: actions, devices, formats, counters, stacks, maps, zones, stalls, notes. */
const RECORDINGS = [
  ...inTests('fixtures', /^(?!README)/),
  ...inTests('alone', /./),
  ...inTests('counters', /./),
  ...inTests('origin', /^(?:append-dsync|crypt-6\.1|ext4-6\.12-fio3|file-pieces|raid1-6\.1)\.tar\.xz$/),
  ...inTests('stacks', /^(?:calls-6\.12\.trace\.dat|uring-6\.12\.tar|perf-fio-6\.12\.tar)\.xz$/),
  ...inTests('zones', /./),
  ...inTests('stalls', /./),
  ...inTests('texts', /./),
  'public/samples/idling/a',
]

/** Names of fields that are counts or numbers of the system, and of those without a unit. */
const COUNT =
  /^(?:n|requests|reads|writes|discards|samples|records|events|queued|back|front|[QDC]|lost_events|unknown_records|nvme|scsi|failed|timed_out|misaligned_4k|less|decimals|changed|tested|pid|cpu|errno|inode|ratio|q_per_d)$/

/** The documents that a command printed: messages about a recording are no failure. */
async function documents(args: readonly string[]): Promise<readonly unknown[]> {
  const { stdout, stderr } = await run(args)
  const lines = stdout.split('\n').filter(Boolean)
  if (lines.length === 0) throw new Error(`${args.join(' ')} printed nothing: ${stderr}`)
  return lines.map(line => JSON.parse(line))
}

/** Commands whose documents are checked for what must not be accepted. */
const PRINTED: Readonly<Partial<Record<DocumentName, readonly (readonly string[])[]>>> = {
  summary: [
    ['summary', '--json', 'tests/origin/ext4-6.12-fio3.tar.xz'],
    ['summary', '--json', '--stripe', 'unit=256KiB,disks=2', 'tests/fixtures/raid5-misaligned', 'tests/counters'],
    ['summary', '--json', 'tests/stalls/freeze-6.12.tar.xz'],
    ['summary', '--json', 'tests/tables/readahead.txt'],
  ],
  compare: [
    ['compare', '--json', 'tests/fixtures/sync-no-fua', 'tests/fixtures/sync-fua'],
    ['compare', '--json', 'public/samples/idling/a', 'public/samples/idling/b'],
    ['compare', '--json', '--moment', '1', 'tests/stalls/freeze-6.12.tar.xz'],
    ['compare', '--json', 'tests/alone/steady.tar.xz'],
    ['compare', '--json', 'tests/tables/readahead.txt'],
  ],
  matrix: [
    ['compare', '--matrix', '--json', 'tests/fixtures/partitions-bfq-1w', 'tests/fixtures/partitions-deadline-1w'],
  ],
  top: [['top', '--json', 'tests/fixtures/two-devices']],
  replay: [
    ['replay', '--check', '--json', 'tests/fixtures/partitions-deadline-1w', 'tests/fixtures/partitions-deadline-1w'],
  ],
  digest: [['digest', 'tests/fixtures/two-devices', 'tests/counters']],
}

beforeAll(async () => {
  for (let i = 1; i <= 7; i += 1)
    cpSync(join(FIXTURES, i <= 4 ? 'sync-fua' : 'sync-no-fua'), join(scratch, 'dd', `r${i}`), { recursive: true })
  await writeBuilds(join(scratch, 'builds.jsonl'))
})

const BUILDS = ['builds', '--json', '--by', 'build', '--digests', join(scratch, 'builds.jsonl')]

describe('schemas', () => {
  test('are there for every command with --json, and for no other', () => {
    const printing = COMMAND_NAMES.filter(name => commandSpec(name).options.flat().includes('json'))
    const described = DOCUMENT_NAMES.map(name => documentSource(name).printed).filter(name => name.endsWith(' --json'))
    expect(described.map(words => words.split(' ')[0])).toEqual(expect.arrayContaining([...printing]))
    for (const words of described) expect(printing).toContain(words.split(' ')[0])
  })

  test('are listed, and printed as valid schemas that are complete in themselves', async () => {
    const list = await run(['schema'])
    expect(
      list.stdout
        .split('\n')
        .filter(Boolean)
        .map(line => line.split(' ')[0]),
    ).toEqual(DOCUMENT_NAMES)
    for (const name of DOCUMENT_NAMES) {
      const { status, stdout } = await run(['schema', name])
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(schemaOf(name))))
      expect(() => compiled(JSON.parse(stdout))).not.toThrow()
    }
    expect(await run(['schema', 'sumary'])).toMatchObject({ status: 2, stderr: expect.stringContaining('use summary') })
  })

  test('say the unit of every number that is no count', () => {
    const documents = DOCUMENT_NAMES.filter(name => documentSource(name).type !== undefined)
    const bare = Object.entries(definitionsOf(documents.map(schemaOf))).flatMap(([type, schema]) => {
      const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
      if (/\b(?:ns|bytes|unit)\b/i.test(String(schema.description)) || 'unit' in properties) return []
      return Object.entries(properties)
        .filter(
          ([key, { type, description }]) => /number|integer/.test(String(type)) && !description && !COUNT.test(key),
        )
        .map(([key]) => `${type}.${key}`)
    })
    expect(bare).toEqual([])
  })
})

describe('documents', () => {
  test.each(RECORDINGS)('summary and compare of %s', async path => {
    for (const name of ['summary', 'compare'] as const)
      for (const document of await documents([name, '--json', path])) expect(faultsOf(name, document)).toEqual([])
  })

  test.each(Object.entries(PRINTED) as [DocumentName, readonly (readonly string[])[]][])(
    '%s satisfies its schema, which accepts neither unknown keys nor other types',
    async (name, commands) => {
      for (const args of commands)
        for (const document of (await documents(args)).slice(0, 3)) {
          expect(faultsOf(name, document), args.join(' ')).toEqual([])
          expect(looseness(name, document), args.join(' ')).toEqual([])
        }
    },
  )

  test('noise, builds and changes do, too', async () => {
    const [noise] = await documents(['noise', '--json', scratch])
    expect(faultsOf('noise', noise)).toEqual([])
    expect(looseness('noise', noise)).toEqual([])
    const output = join(scratch, 'changes.jsonl')
    const [builds] = await documents([...BUILDS, '-o', output])
    expect(faultsOf('builds', builds)).toEqual([])
    expect(looseness('builds', builds)).toEqual([])
    expect((builds as { readonly events: readonly unknown[] }).events).not.toEqual([])
    const changes = readFileSync(output, 'utf8').trim().split('\n')
    for (const change of changes) expect(faultsOf('changes', JSON.parse(change))).toEqual([])
    expect(looseness('changes', JSON.parse(changes[0] ?? ''))).toEqual([])
  })

  test('schemas of queries and answers are valid', () => {
    for (const { ask, answer } of Object.values(QUERIES)) {
      for (const schema of [ask, answer])
        expect(() => compiled({ ...schema, $defs: definitionsOf([schema]) })).not.toThrow()
    }
  })
})
