import { expect, it } from 'vitest'
import { splitAtTerms, TERMS, termOf } from './terms'

it('has a sentence for every stage, letter and abbreviation', () => {
  for (const word of ['Q2C', 'Q2D', 'D2C', 'Q2G', 'G2I', 'I2D', 'starved', 'bios', 'FUA', 'LBA', 'rwbs', 'action'])
    expect(termOf(word)?.meaning, word).toMatch(/\.$/)
  expect(new Set(TERMS.map(({ name }) => name)).size).toBe(TERMS.length)
})

it('finds each term of a text once, whole words only', () => {
  const words = (text: string) => splitAtTerms(text).flatMap(part => (typeof part === 'string' ? [] : [part.word]))
  expect(words('Before the device (Q2D, mean)')).toEqual(['Q2D'])
  expect(words('Starved (idle while bios wait), starved again')).toEqual(['Starved', 'idle', 'bios'])
  expect(words('asynchronous biosnoop reflush')).toEqual([])
  const parts = splitAtTerms('Complete request (Q2C, p99)')
  expect(parts.map(part => (typeof part === 'string' ? part : part.word)).join('')).toBe('Complete request (Q2C, p99)')
})
