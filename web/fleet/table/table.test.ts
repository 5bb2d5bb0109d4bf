/** Tables that are read as they were written, in parts; and tables that lie. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { COLUMNS, createRow, createRows, parquetOf, sourceOf } from '../../../tests/digestTables'
import type { EngineError } from '../../engine/protocol'
import { type DigestRow, ERROR_COLUMNS } from '../../export/digests'
import { viewOf } from '../rows/view'
import { cellAt, type NumberColumn, type TextColumn } from './columns'
import { checkPages, PageError } from './pages'
import { type DigestTable, openTable } from './table'
import { ThriftError, walkStruct } from './thrift'

const rows = createRows(1230)
const parquet = await parquetOf(rows)

async function wrongWith(open: Promise<DigestTable>): Promise<EngineError> {
  try {
    await open
  } catch (error) {
    return error as EngineError
  }
  throw new Error('it was opened')
}

describe('a Parquet file', () => {
  test('has the rows that were written', async () => {
    const table = await openTable([sourceOf(parquet)])
    expect(table.rows).toBe(rows.length)
    for (const name of ['run', 'kernel', 'findings', 'events', 'iops'] as const) {
      const column = await table.column(name)
      expect(
        rows.map((_, i) => cellAt(column, i)),
        name,
      ).toEqual(rows.map(row => row[name]))
    }
    const flags = (await table.column('compared')) as TextColumn
    expect(flags.words.toSorted()).toEqual(['false', 'true'])
  })

  test('gives single cells of any group, in the order in which they are asked for', async () => {
    const table = await openTable([sourceOf(parquet)])
    const wanted = [1229, 0, 499, 500, 700, 3]
    expect(await table.cells('digest', wanted)).toEqual(wanted.map(i => rows[i]?.digest))
    expect(await table.cells('iops_bins', wanted)).toEqual(wanted.map(i => rows[i]?.iops_bins))
  })

  test('several are one table, and folders name the words of their rows', async () => {
    const without = COLUMNS.filter(({ name }) => name !== 'kernel')
    const files = await Promise.all(
      ['6.1', '6.12%2Frc'].map(async kernel =>
        sourceOf(await parquetOf(createRows(3), without), `fleet/kernel=${kernel}/device=sda/part.parquet`),
      ),
    )
    const table = await openTable(files)
    const kernel = (await table.column('kernel')) as TextColumn
    expect([0, 1, 2, 3, 4, 5].map(i => cellAt(kernel, i))).toEqual([
      '6.1',
      '6.1',
      '6.1',
      '6.12/rc',
      '6.12/rc',
      '6.12/rc',
    ])
    // Its own column counts, not the folder's.
    expect(cellAt(await table.column('device'), 1)).toBe('nvme0n1')
    expect(await table.cells('run', [4])).toEqual(['run 1'])
  })

  test('JSON lines are the same table', async () => {
    const table = await openTable([sourceOf(rows.map(row => JSON.stringify(row)).join('\n'), 'digests.jsonl')])
    const [iops, other] = await Promise.all(
      [table, openTable([sourceOf(parquet)])].map(async opening => (await opening).column('iops')),
    )
    expect((iops as NumberColumn).values).toEqual((other as NumberColumn).values)
    expect((await wrongWith(openTable([sourceOf('{"schema":1}\nx', 'digests.jsonl')]))).message).toContain('Line 2')
  })

  test('builds that labels or paths name are a column, and one that an engine made of numbers is a label', async () => {
    const marked = createRows(4).map((row, i) => ({ ...row, run: `bfq-r${i}`, trace: `lab/build-${9 + i}/trace` }))
    const table = await openTable([sourceOf(await parquetOf(marked))])
    expect(table.columns.find(({ name }) => name === 'build')?.type).toBe('text')
    const builds = (await table.column('build')) as TextColumn
    expect([0, 1, 2, 3].map(i => cellAt(builds, i))).toEqual(['9', '10', '11', '12'])
    expect(await table.cells('build', [3, 0])).toEqual(['12', '9'])
    const same = await openTable([sourceOf(await parquetOf(marked.map(row => ({ ...row, trace: 'build-7/trace' }))))])
    expect(same.columns.some(({ name }) => name === 'build')).toBe(false)

    const parquetWithBuilds = await parquetOf(
      marked.map((row, i) => ({ ...row, build: 40 + i })),
      [...COLUMNS, { name: 'build', type: 'INT32' }],
    )
    const numbered = await openTable([sourceOf(parquetWithBuilds)])
    expect(numbered.columns.find(({ name }) => name === 'build')?.type).toBe('text')
    expect(cellAt(await numbered.column('build'), 3)).toBe('43')
  })

  test('JSON lines with cells of other kinds, and names that every object has', async () => {
    const odd = { toString: 1, valueOf: 1 }
    const text = [
      { ...rows[0], kernel: odd, constructor: 'a', iops_bins: [odd, 1] },
      { ...rows[1], device: null },
      { ...rows[2], kernel: '6.1' },
    ]
    const table = await openTable([sourceOf(text.map(row => JSON.stringify(row)).join('\n'), 'digests.jsonl')])
    const cells = async (name: string) => {
      const column = await table.column(name)
      return [0, 1, 2].map(i => cellAt(column, i))
    }
    expect(await cells('kernel')).toEqual([undefined, rows[1]?.kernel, '6.1'])
    expect(await cells('device')).toEqual([rows[0]?.device, undefined, rows[2]?.device])
    expect(await table.cells('iops_bins', [0])).toEqual([[null, 1]])
    expect(table.columns.map(({ name }) => name)).not.toContain('constructor')
    const columns = [...COLUMNS, ...['hasOwnProperty', 'constructor'].map(name => ({ name, type: 'STRING' as const }))]
    const packed = await openTable([
      sourceOf(
        await parquetOf(
          rows.slice(0, 3).map(row => ({ ...row, hasOwnProperty: 'a', constructor: 'b' }) as DigestRow),
          columns,
        ),
        'valueOf=1/kernel=2/fleet.parquet',
      ),
    ])
    expect(packed.columns.map(({ name }) => name)).toEqual(COLUMNS.map(({ name }) => name))
    expect(viewOf('keep.constructor=a&keep.kernel=b&keep.__proto__=c').filters).toEqual({ kernel: ['b'] })
  })

  test('errors of a fleet are a list next to its rows', async () => {
    const errors = await parquetOf([{ source: 'a.tar', file: 'x', code: 'no-trace', message: 'None.' }], ERROR_COLUMNS)
    const table = await openTable([sourceOf(parquet), sourceOf(errors, 'fleet.errors.parquet')])
    expect(table.rows).toBe(rows.length)
    expect(table.failures).toEqual([{ source: 'a.tar', file: 'x', code: 'no-trace', message: 'None.' }])
  })
})

describe('a table that is none', () => {
  test.each([
    ['of requests', ['run', 'trace', 'rwbs', 'q2c_ns', 'd2c_ns'], 'not-digests', 'a table of requests'],
    ['of something else', ['city', 'population'], 'not-digests', 'without the columns of digests'],
  ] as const)('%s is named', async (_, names, code, words) => {
    const bytes = await parquetOf(
      [{}],
      names.map(name => ({ name, type: 'STRING' })),
    )
    const error = await wrongWith(openTable([sourceOf(bytes)]))
    expect(error.code).toBe(code)
    expect(error.message).toContain(words)
    expect(error.remedy).toBeDefined()
  })

  test('digests of another schema are refused, also in one row', async () => {
    const error = await wrongWith(openTable([sourceOf(await parquetOf([createRow(0), createRow(1, { schema: 2 })]))]))
    expect(error).toMatchObject({ code: 'digests-newer', at: { file: 'fleet.parquet' } })
    expect(error.message).toContain('schema 2')
  })
})

describe('a damaged file', () => {
  /** Reads everything; only an EngineError may come of it. */
  const readAll = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    try {
      const table = await openTable([sourceOf(bytes)])
      for (const { name, type } of table.columns) await (type === 'list' ? table.cells(name, [0]) : table.column(name))
      return 'read'
    } catch (error) {
      expect(error).not.toBeInstanceOf(Error)
      return (error as EngineError).code
    }
  }
  const codes = new Set(['read', 'digests-damaged', 'digests-newer', 'not-digests', 'digests-too-large'])

  test('that ends anywhere is an error', async () => {
    const small = await parquetOf(createRows(40))
    for (let i = 4; i < 40; i++)
      expect(await readAll(small.slice(0, Math.floor((small.length * i) / 40))), String(i)).toBe('digests-damaged')
  })

  test('with any byte changed is read or an error', async () => {
    const small = await parquetOf(createRows(60), COLUMNS, 20)
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 1_664_525 + 1_013_904_223) >>> 0
      return seed % below
    }
    const found = new Set<string>()
    for (let i = 0; i < 400; i++) {
      const bytes = small.slice()
      // Half of the changes are in the footer, where all sizes are.
      const offset = i % 2 === 0 ? random(bytes.length) : bytes.length - 1 - random(Math.min(bytes.length, 4000))
      bytes[offset] = random(256)
      const code = await readAll(bytes)
      expect(codes, `byte ${offset}`).toContain(code)
      found.add(code)
    }
    expect(found).toContain('digests-damaged')
  })
})

describe('what a page says', () => {
  const zigzag = (n: number): number[] => varint(n * 2)
  function varint(n: number): number[] {
    return n < 128 ? [n] : [(n & 127) | 128, ...varint(Math.floor(n / 128))]
  }
  /** A data page of version 1: sizes, then values, encoding and the encodings of levels. */
  const page = (body: readonly number[], values: number, encoding: number, unpacked = body.length): Uint8Array =>
    Uint8Array.from([
      ...[0x15, 0, 0x15, ...zigzag(unpacked), 0x15, ...zigzag(body.length), 0x2c],
      ...[0x15, ...zigzag(values), 0x15, ...zigzag(encoding), 0x15, 6, 0x15, 6, 0, 0],
      ...body,
    ])
  const chunk = { codec: 'UNCOMPRESSED', rows: 8, values: 8, levels: [0, 1], isFlag: false, from: 0, to: 8 } as const
  const check =
    (bytes: Uint8Array, more: Partial<Parameters<typeof checkPages>[0]> = {}) =>
    () =>
      checkPages({ ...chunk, bytes, ...more }, gunzip)
  const gunzip = (): Uint8Array => {
    throw new Error('not packed')
  }
  const levels = [2, 0, 0, 0, 8 << 1, 1]

  test('true pages pass', () => {
    expect(check(page([...levels, ...new Array(64).fill(0)], 8, 0))).not.toThrow()
    expect(check(page([...levels, 1, 8 << 1, 1], 8, 8))).not.toThrow()
  })

  test.each([
    ['more values than the column', page([...levels], 9, 0), {}],
    ['a run of levels beyond its page', page([6, 0, 0, 0, ...varint(2 ** 31), 1], 8, 0), {}],
    ['a run of a dictionary beyond its page', page([...levels, 1, ...varint(2 ** 31), 1], 8, 8), {}],
    ['levels that end too early', page([9, 0, 0, 0, 16, 1], 8, 0), {}],
    ['a size beyond the limit', page([...levels], 8, 0, 2 ** 30), {}],
    ['an encoding that is not read', page([...levels], 8, 5), {}],
    ['no data', Uint8Array.from([0x15, 0, 0]), {}],
  ])('%s is refused', (_, bytes, more) => expect(check(bytes, more)).toThrow(PageError))

  test('lists and nesting are bounded by the bytes', () => {
    const walk = (bytes: readonly number[]) => () => walkStruct({ bytes: Uint8Array.from(bytes), offset: 0 })
    // 2^40 numbers; 2^40 flags, which take no bytes in some readers; structures in structures.
    expect(walk([0x19, 0xf5, ...varint(2 ** 40)])).toThrow(ThriftError)
    expect(walk([0x19, 0x91, 1, 1, 1, 1, 1, 1, 1, 1, 1])).toThrow(ThriftError)
    expect(walk(new Array(100_000).fill(0x1c))).toThrow(ThriftError)
  })

  test('a gzip bomb unpacks to no more than its page says', async () => {
    const bomb = gzipSync(new Uint8Array(1 << 24))
    const bytes = page([...bomb], 8, 0, 16)
    const { gunzipSync } = await import('fflate')
    const unpack = (packed: Uint8Array, size: number) => gunzipSync(packed, { out: new Uint8Array(size) })
    expect(unpack(bomb, 16)).toHaveLength(16)
    expect(() => checkPages({ ...chunk, codec: 'GZIP', bytes }, unpack)).toThrow(PageError)
  })
})
