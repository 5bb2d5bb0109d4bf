/** A chart's painting as SVG markup. */
import { describe, expect, it } from 'vitest'
import { drawSteps } from '../../charts/throughput/draw'
import { ns } from '../../lib/units'
import { hatch } from '../shared/paint/surface'
import { createSvgSurface } from './svgSurface'

const surface = (most?: number) => createSvgSurface('id', () => 'data:,', most)

describe('an SVG surface', () => {
  it('joins opaque rectangles of one colour, and keeps those apart that shine through', () => {
    const svg = surface()
    svg.fillStyle = 'red'
    svg.fillRect(0, 0, 2, 3)
    svg.fillRect(4, 0.126, 2, 3)
    svg.globalAlpha = 0.5
    svg.fillRect(0, 0, 1, 1)
    expect(svg.markup()).toBe(
      '<path fill="red" d="M0 0h2v3h-2zM4 0.13h2v3h-2z"/><path fill="red" fill-opacity="0.5" d="M0 0h1v1h-1z"/>',
    )
  })

  it('closes a clip where the chart restores, and brings the colours back', () => {
    const svg = surface()
    svg.fillStyle = 'red'
    hatch(svg, 0, 0, 4, 4, 'blue')
    svg.fillRect(0, 0, 1, 1)
    const markup = svg.markup() ?? ''
    expect(markup).toMatch(
      /^<clipPath id="id-1"><path d="M0 0h4v4h-4z"\/><\/clipPath><g clip-path="url\(#id-1\)"><path fill="none" stroke="blue".*<\/g><path fill="red"/,
    )
  })

  it('takes what a chart paints, dashes included', () => {
    const svg = surface()
    const range = { t0: ns(0), t1: ns(100) }
    drawSteps(
      svg,
      { range, values: Float64Array.of(1, 2), colour: 'green', dash: [4, 2], area: 'grey', mean: 1.5 },
      { range, width: 100, begin: 0, end: 100, y: v => 10 - v },
    )
    const markup = svg.markup() ?? ''
    expect(markup).toContain('<path fill="grey" fill-opacity="0.55" d="M0 10L0 9L50 9L50 8L100 8L100 10"/>')
    expect(markup).toContain('stroke="green" stroke-width="1.25" stroke-dasharray="4 2"')
    expect(markup.match(/stroke-dasharray="1.5 2.5"/g)).toHaveLength(1)
  })

  it('gives up where there are too many marks', () => {
    const svg = surface(10)
    for (let i = 0; i <= 10; i += 1) svg.fillRect(i, 0, 1, 1)
    expect(svg.markup()).toBeUndefined()
  })
})
