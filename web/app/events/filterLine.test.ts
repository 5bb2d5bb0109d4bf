import { describe, expect, test } from 'vitest'
import { readLine } from './filterLine'
import { lineAt, scrollFor, scrollHeight } from './scale'

describe('the event filter', () => {
  test('keys, lists and plain words', () => {
    expect(readLine('op:write act:D,c dev:254,0 pid:512 sector:1000..2000 dd')).toEqual({
      line: {
        ops: ['write'],
        actions: ['D', 'C'],
        devices: ['254,0'],
        pids: [512],
        sectors: [1000, 2000],
        text: ['dd'],
      },
      problems: [],
    })
    expect(readLine('dev:254,0,8,16,vda').line.devices).toEqual(['254,0', '8,16', 'vda'])
    expect(readLine('act:m,M').line.actions).toEqual(['m', 'M'])
    expect(readLine('').line).toEqual({ text: [] })
  })
  test('errors by number, name, or any', () => {
    expect(readLine('error:EIO,5 err:any').line).toEqual({ errors: ['any'], text: [] })
    expect(readLine('error:EIO,28').line.errors).toEqual(['EIO', '28'])
  })
  test('ranges are open at either end', () => {
    expect(readLine('sector:7').line.sectors).toEqual([7, 8])
    expect(readLine('sector:..8').line.sectors).toEqual([0, 8])
    expect(readLine('sector:8..').line.sectors?.[0]).toBe(8)
    expect(readLine('time:1.5..2').line.times).toEqual([1_500_000_000, 2_000_000_000])
  })
  test('names with colons and spaces', () => {
    expect(readLine('kworker/0:1H "a b" proc:"my task"').line).toEqual({
      processes: ['my task'],
      text: ['kworker/0:1H', 'a b'],
    })
  })
  test('invalid words are reported and do not filter', () => {
    for (const [text, expected] of [
      ['lat:>100ms', /property of requests/],
      ['colour:red', /unknown key\. Use op, act/],
      ['op:steal', /read, write, discard, flush/],
      ['act:Y', /m: message/],
      ['pid:dd', /whole numbers/],
      ['sector:9..3', /a range/],
      ['sector:', /needs a value/],
      ['error:!', /error:any/],
      ['time:soon', /seconds/],
    ] as const) {
      const { line, problems } = readLine(text)
      expect(line, text).toEqual({ text: [] })
      expect(problems.join(), text).toMatch(expected)
    }
  })
})

describe('scrolling beyond the limits of browsers', () => {
  const list = { total: 6_000_000, row: 20, height: 600 }
  test('a short list is not scaled', () => {
    expect(scrollHeight({ ...list, total: 100 })).toBe(2000)
    expect(lineAt({ ...list, total: 100 }, 1400)).toBe(70)
  })
  test('both ends of a long list can be reached, and every line has a position', () => {
    const height = scrollHeight(list)
    expect(height).toBeLessThan(10_000_000)
    expect(lineAt(list, 0)).toBe(0)
    expect(lineAt(list, height - 600)).toBe(6_000_000 - 30)
    for (const line of [0, 1, 123_456, 5_999_970]) expect(Math.round(lineAt(list, scrollFor(list, line)))).toBe(line)
  })
})
