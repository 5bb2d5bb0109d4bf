import { describe, expect, it } from 'vitest'
import { loadEngine } from '../../../../cli/input/read/engine'
import { termOf } from '../../../charts/shared/term/terms'
import { SPECS } from '../../../charts/specs'
import { FIGURE_PLACES, meaningsOf, placeOf } from '../../../compare/figureCharts'
import type { DigestFigure } from '../../../engine/protocol'
import { CHART_PLACES } from './chartPlaces'
import { MAIN_KEYS } from './mainFigures'

describe('names of figures', () => {
  it('lead somewhere for all main figures', () => {
    expect(MAIN_KEYS.filter(key => placeOf(key)?.chart === undefined)).toEqual([])
  })

  it('lead somewhere for every metric of the engine', () => {
    const keys = (loadEngine().knownFigures() as readonly DigestFigure[]).map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(80)
    expect(keys.filter(key => placeOf(key) === undefined)).toEqual([])
    expect(placeOf('application.latency')).toBeUndefined()
  })

  it('have a sentence each, and charts that the page draws', async () => {
    expect(FIGURE_PLACES.filter(({ term }) => termOf(term) === undefined)).toEqual([])
    const drawn = new Set<string>(
      (await Promise.all(Object.values(SPECS).map(load => load()))).map(({ measured }) => measured),
    )
    const charts = FIGURE_PLACES.flatMap(({ chart }) => (chart && chart !== 'quality' ? [CHART_PLACES[chart]] : []))
    expect(charts.filter(chart => !drawn.has(chart))).toEqual([])
  })

  it('prefer the longest beginning, and the sentence of the figure to that of its words', () => {
    expect(placeOf('alignment.rmw.bytes')?.term).toBe('parity')
    expect(placeOf('alignment.other')?.term).toBe('stripe')
    const starved = placeOf('starved.share')
    const meanings = starved && meaningsOf(starved, 'Starved (idle while bios wait)')
    expect(meanings).toHaveLength(2)
    expect(meanings?.[0]).toMatch(/^The device is idle/)
    expect(meanings?.[1]).toBe('idle: no request is in the device.')
    expect(placeOf('d2c.p99') && meaningsOf({ section: 'latency', term: 'D2C' }, 'D2C, p99')).toHaveLength(2)
  })
})
