/**
 * The letters that badges and sentences show: one for each side of the comparison, with the number of the run where
 * its side is a group. The first character decides the colour, so the runs of a group share one.
 */
import { LETTERS } from '../../link/view'
import type { Run } from '../types'

/** The letter of a run's side: `B` of `B2`. */
const sideLetter = (letter: string): string => letter.charAt(0)

/** The letter of a side by the letters of its runs; runs that the page does not group have all theirs: `A-C`. */
export function lettersOfSide(letters: readonly string[], dash = '-'): string {
  const [first = ''] = letters
  if (letters.length < 2) return first
  return letters.every(letter => sideLetter(letter) === sideLetter(first))
    ? sideLetter(first)
    : `${first}${dash}${letters.at(-1)}`
}

/**
 * Letters in the order of the runs: `A1`, `A2`, `B1`. A single run in a group has no number. If all runs are in one
 * group, there is no other to compare it with, and each run has a letter of its own.
 */
export function shownLetters(groups: readonly (string | undefined)[]): readonly string[] {
  // A single run is a side of its own.
  const keys = groups.map((group, i) => group ?? i)
  const sides = [...new Set(keys)]
  if (sides.length < 2) return groups.map((_, i) => LETTERS[i] ?? 'T')
  return keys.map((key, i) => {
    const letter = LETTERS[sides.indexOf(key)] ?? 'T'
    const isGroup = keys.filter(other => other === key).length > 1
    return isGroup ? `${letter}${keys.slice(0, i + 1).filter(other => other === key).length}` : letter
  })
}

/** Assigns both letters of each run: the shown one, and that of its place, which links use. */
export function withLetters(runs: readonly Run[]): readonly Run[] {
  const letters = shownLetters(runs.map(run => run.group))
  return runs.map((run, i) => {
    const [letter, linkLetter] = [letters[i] ?? 'T', LETTERS[i] ?? 'T']
    return run.letter === letter && run.linkLetter === linkLetter ? run : { ...run, letter, linkLetter }
  })
}
