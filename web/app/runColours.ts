/** Colours of runs by group: the runs of a group have one hue and differ in letter and dash. */
import { useLayoutEffect } from 'react'
import { runToken } from '../charts/shared/paint/palette'
import { LETTERS } from '../state/runs/runs'
import type { Run } from '../state/types'

/** The letter whose colour each run has: groups and single runs take the colours in their order. */
function colourLetters(runs: readonly Pick<Run, 'letter' | 'group'>[]): ReadonlyMap<string, string> {
  const sides = [...new Set(runs.map(run => run.group ?? run.letter))]
  const isGrouped = runs.some(run => run.group !== undefined)
  return new Map(
    runs.map(({ letter, group }) => [letter, isGrouped ? (LETTERS[sides.indexOf(group ?? letter)] ?? letter) : letter]),
  )
}

/** Sets the colours on the root element, where canvases read them too. */
export function useRunColours(runs: readonly Run[]): void {
  const key = [...colourLetters(runs)].join(' ')
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const property = (letter: string) => `--${runToken(letter)}`
    const clear = () => {
      for (const letter of LETTERS) style.removeProperty(property(letter))
    }
    clear()
    const tokens = getComputedStyle(document.documentElement)
    const changed = key
      .split(' ')
      .map(pair => pair.split(','))
      .flatMap(([letter = '', colour = '']) =>
        letter === colour ? [] : [[letter, tokens.getPropertyValue(property(colour)).trim()] as const],
      )
    for (const [letter, value] of changed) style.setProperty(property(letter), value)
    return clear
  }, [key])
}
