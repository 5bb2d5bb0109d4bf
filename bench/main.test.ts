import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import scripts from '../package.json'
import { ROOT } from '../scripts/lib/run.mjs'
import { median, quantile, repeat } from './lib/statistics.mjs'

function bench(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bench/main.mjs'), ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const names = [...bench('--help').stdout.matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, name = '']) => name)

describe('npm run bench', () => {
  test('lists all measurements without a name, too', () => {
    expect(names).toEqual(expect.arrayContaining(['load', 'native', 'live', 'limits', 'soak', 'stages', 'trial']))
    expect(bench()).toEqual(bench('--help'))
    expect(bench().status).toBe(0)
  })

  test.each(names)('%s has its help, and starts nothing for it', name => {
    const { status, stdout, stderr } = bench(name, '--help')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(`npm run bench -- ${name}`)
  })

  test('a wrong name, option or value is an error that says what there is', () => {
    for (const [args, words] of [
      [['laod'], /unknown measurement: laod[\s\S]*\bload\b/],
      [['load', '--size', '1'], /--size[\s\S]*--sizes/],
      [['soak', '--times', '0'], /--times must be a whole number/],
      [['live', '--rates', '20000,none'], /positive numbers: 20000,none/],
      [['trial'], /expected one folder/],
      [['stages', '--queries'], /--queries needs --folder/],
    ] as const) {
      const { status, stderr } = bench(...args)
      expect(status, args.join(' ')).toBe(1)
      expect(stderr).toMatch(words)
    }
  })

  test('a stream is data: nothing else is printed', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'bench/main.mjs'), 'stream', '--rate', '100', '--seconds', '0.1', '--fast'],
      { encoding: 'buffer' },
    )
    expect(status).toBe(0)
    // The magic of blktrace, little-endian, with its version.
    expect(stdout.readUInt32LE(0)).toBe(0x65617407)
  })

  test('what npm scripts and documents call is there', () => {
    const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(path => `docs/${path}`)
    const documents = ['README.md', 'CONTRIBUTING.md', 'parser-wasm/stages/src/main.rs', ...docs].filter(path =>
      /\.(?:md|rs)$/.test(path),
    )
    const texts = [...Object.values(scripts.scripts), ...documents.map(path => readFileSync(join(ROOT, path), 'utf8'))]
    const called = texts.flatMap(text =>
      [...text.matchAll(/(?:bench\/main\.mjs|npm run bench --) ([a-z-]+)/g)].map(([, name]) => name),
    )
    expect(called.length).toBeGreaterThan(8)
    expect(called.filter(name => ![...names, 'WHAT', '--help'].includes(name ?? ''))).toEqual([])
  })
})

describe('statistics', () => {
  test('the median of an even number is between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([9, 1, 5, 7])).toBe(6)
    expect(median([])).toBeNaN()
  })

  test('a quantile is a value that occurred', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(3)
    expect(quantile([4, 1, 3, 2], 1)).toBe(4)
    expect(quantile([], 0.5)).toBeNaN()
  })

  test('repetitions do not overlap', async () => {
    let [running, most] = [0, 0]
    await repeat(3, async () => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
    })
    expect(most).toBe(1)
  })
})
