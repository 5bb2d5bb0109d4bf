import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TAIL_CAUSES } from '../../engine/protocol'
import { causeToken } from './summary'

/** L* of a colour, 0 to 100: how light it is, without its hue. */
function lightness(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.slice(1).match(/../g) ?? [])
    .map(byte => Number.parseInt(byte, 16) / 255)
    .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y
}

test.each(['light', 'dark'] as const)('colours of causes are told apart in greyscale where they touch: %s', theme => {
  const css = readFileSync(new URL('../../app/tokens.css', import.meta.url), 'utf8')
  const of = (token: string) => {
    const [, light = '', dark = ''] = new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? []
    return lightness(theme === 'light' ? light : dark)
  }
  const surface = of('surface')
  const tones = TAIL_CAUSES.map(cause => of(causeToken(cause)))
  tones.forEach((tone, i) => {
    expect(Math.abs(tone - surface), `${TAIL_CAUSES[i]} on the surface`).toBeGreaterThan(18)
    if (i > 0)
      expect(Math.abs(tone - (tones[i - 1] ?? tone)), `${TAIL_CAUSES[i - 1]} beside ${TAIL_CAUSES[i]}`).toBeGreaterThan(
        18,
      )
  })
})
