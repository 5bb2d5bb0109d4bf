import { describe, expect, it } from 'vitest'
import { lettersOfSide, shownLetters } from './letters'

describe('letters that are shown', () => {
  it('are a side and a number in a group, and a side alone for a single run', () => {
    expect(shownLetters(['nr64', 'nr64', 'nr4', 'nr4', 'nr4'])).toEqual(['A1', 'A2', 'B1', 'B2', 'B3'])
    expect(shownLetters(['old', undefined, undefined, 'new'])).toEqual(['A', 'B', 'C', 'D'])
    expect(shownLetters([undefined, undefined])).toEqual(['A', 'B'])
  })

  it('are one for each run where all are in one group', () => {
    expect(shownLetters(['old', 'old', 'old'])).toEqual(['A', 'B', 'C'])
    expect(shownLetters(['old'])).toEqual(['A'])
  })

  it('name a side by its letter, or by all letters of runs without a group', () => {
    expect(lettersOfSide(['B1', 'B2'])).toBe('B')
    expect(lettersOfSide(['C'])).toBe('C')
    expect(lettersOfSide(['A', 'B', 'C'])).toBe('A-C')
    expect(lettersOfSide([])).toBe('')
  })
})
