import { describe, expect, it } from 'vitest'
import { filesOf } from './dropped'

const file = (name: string): FileSystemEntry =>
  ({
    isFile: true,
    isDirectory: false,
    name,
    file: (done: (f: File) => void) => done(new File(['x'], name)),
  }) as unknown as FileSystemEntry

/** Hands out its entries in batches of two, as browsers do in batches of a hundred. */
const folder = (name: string, ...inside: FileSystemEntry[]): FileSystemEntry =>
  ({
    isFile: false,
    isDirectory: true,
    name,
    createReader: () => {
      const remaining = [...inside]
      return { readEntries: (done: (e: FileSystemEntry[]) => void) => done(remaining.splice(0, 2)) }
    },
  }) as unknown as FileSystemEntry

const paths = async (...dropped: FileSystemEntry[]) => (await filesOf(dropped)).map(f => f.path)

describe('dropped items', () => {
  it('reads folders recursively, batch by batch', async () => {
    const run = folder(
      'run',
      file('sda.blktrace.0'),
      file('sda.blktrace.1'),
      file('sda.blktrace.2'),
      folder('deep', folder('er', file('meta.json'))),
    )
    expect(await paths(run, file('loose.blktrace.0'))).toEqual([
      'loose.blktrace.0',
      'run/deep/er/meta.json',
      'run/sda.blktrace.0',
      'run/sda.blktrace.1',
      'run/sda.blktrace.2',
    ])
  })
  it('counts as people do: cpu 10 after cpu 9', async () => {
    expect(await paths(folder('t', file('a.blktrace.10'), file('a.blktrace.9')))).toEqual([
      't/a.blktrace.9',
      't/a.blktrace.10',
    ])
  })
  it('passes over what file managers leave in folders, but not what was dropped by name', async () => {
    expect(
      await paths(folder('t', file('.DS_Store'), folder('__MACOSX', file('x')), file('a')), file('.hidden')),
    ).toEqual(['.hidden', 't/a'])
  })
  it('finds nothing in an empty folder', async () => {
    expect(await paths(folder('empty'))).toEqual([])
  })
  it('passes on why a file cannot be read', async () => {
    const broken = {
      isFile: true,
      name: 'gone',
      file: (_: unknown, no: (e: Error) => void) => no(new Error('gone')),
    } as unknown as FileSystemEntry
    await expect(filesOf([broken])).rejects.toThrow('gone')
  })
})
