import { expect, test } from 'vitest'
import { ConditionError, readCondition } from './where'

const ROW = {
  kernel: '6.1',
  device: 'sda',
  iops: 1200,
  compared: true,
  events: 12n,
  scheduler: undefined,
  'odd name': 'x',
}
const COLUMNS = Object.keys(ROW)
const parseWhere = (text: string, columns: readonly string[]) => readCondition(text, columns).test
const is = (text: string) => parseWhere(text, COLUMNS)(ROW)

test('comparisons of texts, numbers and truth values', () => {
  for (const text of [
    "kernel = '6.1'",
    "KERNEL = '6.1'",
    "kernel <> '6.12'",
    'iops > 1000',
    'iops >= 1.2e3',
    'events = 12',
    'compared = true',
    'compared',
    '(compared) and iops > 1000',
    "device in ('sda', 'sdb')",
    "device not in ('vda')",
    "device like 's%'",
    "device like '_d_'",
    "device not like 'v%'",
    'scheduler is null',
    'kernel is not null',
    `"odd name" = 'x'`,
    "not (kernel = '6.12' or iops < 1000)",
    "kernel = '6.12' and iops > 5 or device = 'sda'",
  ])
    expect(is(text), text).toBe(true)
  for (const text of [
    "kernel = '6'",
    'not compared',
    'iops < 1200',
    "device like 'sd'",
    'kernel is null',
    "kernel = '6.1' and device = 'sdb'",
  ])
    expect(is(text), text).toBe(false)
})

test('a text that is a number is compared with numbers by value', () => {
  const builds = (text: string) =>
    ['9', '10', '100', 'main'].filter(build => parseWhere(text, ['build'])({ build }) === true)
  expect(builds('build > 9')).toEqual(['10', '100', 'main'])
  expect(builds('build = 10')).toEqual(['10'])
  expect(builds('build in (9, 100)')).toEqual(['9', '100'])
  expect(builds("build > '9'")).toEqual(['main'])
})

test('what is absent is neither equal nor different, as in SQL', () => {
  for (const text of [
    "scheduler = 'bfq'",
    "scheduler <> 'bfq'",
    "not scheduler = 'bfq'",
    "scheduler like '%'",
    "scheduler in ('bfq')",
  ])
    expect(is(text), text).toBeUndefined()
  expect(is("scheduler = 'bfq' or kernel = '6.1'")).toBe(true)
  expect(is("scheduler = 'bfq' and kernel = '6'")).toBe(false)
})

test('quotes are doubled', () => expect(parseWhere("a = 'it''s'", ['a'])({ a: "it's" })).toBe(true))

test('errors name the place', () => {
  for (const [text, word] of [
    ['', 'the name of a column'],
    ['kernel', 'like'],
    ["kernel = '6.1' iops", 'at iops'],
    ['nothing = 1', 'no column nothing'],
    ['kernel = 6.1.0', 'cannot read'],
    ["(kernel = '6.1'", 'expected )'],
    ["device in 'a'", 'expected ('],
    [`${'('.repeat(5000)}kernel`, 'nested'],
  ] as const) {
    expect(() => parseWhere(text, COLUMNS), text).toThrow(ConditionError)
    expect(() => parseWhere(text, COLUMNS), text).toThrow(word)
  }
})

test('a hostile pattern takes no more than its length times that of the text', () => {
  const begin = performance.now()
  expect(parseWhere(`device like '${'%a'.repeat(2000)}%b'`, ['device'])({ device: 'a'.repeat(20_000) })).toBe(false)
  expect(performance.now() - begin).toBeLessThan(5000)
})

test('says which columns a condition looks at, and the place of what is wrong', () => {
  expect(readCondition("KERNEL = '6.1' and (iops > 5 or iops is null)", COLUMNS).columns).toEqual(['kernel', 'iops'])
  for (const [text, position] of [
    ['kernel = ', 9],
    ["kernel = '6.1' and nothing = 1", 19],
    ['iops >   ?', 9],
  ] as const) {
    const thrown = (() => {
      try {
        readCondition(text, COLUMNS)
      } catch (error) {
        return error
      }
    })()
    expect(thrown, text).toBeInstanceOf(ConditionError)
    expect((thrown as ConditionError).position, text).toBe(position)
  }
})
