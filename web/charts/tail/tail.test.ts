import { expect, test } from 'vitest'
import { coloursIn, lightness, THEMES } from '../../../tests/colours'
import { TAIL_CAUSES } from '../../engine/protocol'
import { causeToken } from './summary'

test.each(THEMES)('colours of causes are told apart in greyscale where they touch: %s', theme => {
  const colours = coloursIn(theme)
  const lightnessOf = (token: string) => lightness(colours.get(token) ?? '')
  const surface = lightnessOf('surface')
  const tones = TAIL_CAUSES.map(cause => lightnessOf(causeToken(cause)))
  tones.forEach((tone, i) => {
    expect(Math.abs(tone - surface), `${TAIL_CAUSES[i]} on the surface`).toBeGreaterThan(18)
    if (i > 0)
      expect(Math.abs(tone - (tones[i - 1] ?? tone)), `${TAIL_CAUSES[i - 1]} beside ${TAIL_CAUSES[i]}`).toBeGreaterThan(
        18,
      )
  })
})
