import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiText, plainText, wrapped } from './plainText'

describe('text of others', () => {
  it('is one line without what cannot be seen or turns text around', () => {
    expect(plainText('a\u0000b\u202ec\u2066d\u200be\n\n f\u2028g\ufeff', 500)).toBe('a b c d e f g')
    expect(plainText('\u001b[31mred\u0007', 500)).toBe('[31mred')
    expect(plainText('  \u202e \t ', 500)).toBe('')
    expect(plainText('caf\u00e9 \u65e5\u672c \u05d0\u05d1', 500)).toBe('caf\u00e9 \u65e5\u672c \u05d0\u05d1')
    expect(plainText(`z${'\u0301'.repeat(100)}`, 500)).toBe(`z${'\u0301'.repeat(4)}`)
    expect(plainText('\ud800x', 500)).toBe('x')
  })

  it('is cut between characters, and a million of them take no time', () => {
    expect(plainText('\u{1f600}'.repeat(9), 3)).toBe('\u{1f600}'.repeat(3))
    const began = performance.now()
    expect([...plainText('ab '.repeat(1e6), 500)].length).toBeLessThanOrEqual(500)
    expect(performance.now() - began).toBeLessThan(200)
  })

  it('is the same when it is cleaned twice, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        const cleaned = plainText(text, 100)
        expect(plainText(cleaned, 100)).toBe(cleaned)
        expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect([...cleaned].length).toBeLessThanOrEqual(100)
      }),
    )
  })
})

describe('plain text for mail', () => {
  it('is ASCII with readable spellings', () => {
    expect(asciiText('\u201cna\u00efve\u201d \u2013 5 \u00b5s \u00d72 \u2026 \u65e5')).toBe('"naive" - 5 us x2 ... ?')
  })

  it('is wrapped; words that are too long are cut, and no character is lost', () => {
    expect(wrapped('one two three', 7, '  ')).toEqual(['one two', '  three'])
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[!-~]{1,90}$/), { maxLength: 30 }), words => {
        const lines = wrapped(words.join(' '), 72, '    ')
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(72)
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''))
      }),
    )
  })
})
