import { CHARTS } from '../plot/names'
import { readPlotOptions } from '../plot/values'
import { readInputs } from '../program/values'
import type { CommandDefinition } from './shared/definition'
import { READING_COMPLETE } from './shared/options'

export const plot: CommandDefinition = {
  group: 'Figures',
  summary: 'Print charts as text, or write them as a picture',
  about: [
    'Draws the charts of the page without a browser: as text that can be pasted into mail, or as one SVG or ' +
      'PNG. Several runs are one above the other on the same axes; the words below each chart have the figures of ' +
      'the range.',
    'In braille a seek map has a dot wherever there are requests; with --ascii it has letters, or the density ' +
      'of each cell. Reads and writes have separate plots, letters or, on a terminal, colours (not with ' +
      'NO_COLOR). In the chart of latency, ! is a failed request.',
    'Results of benchmarks without a trace are drawn as on the page: bars of the sides, lines over threads or ' +
      'block sizes, histograms of latencies.',
    `Charts: ${CHARTS.join(', ')}; one word is enough where only one chart has it (depth). stripes and ` +
      'alignment need --stripe, or a description of the array next to the trace.',
  ],
  operands: 'paths',
  options: [
    'chart',
    'columns',
    'ascii',
    'svg',
    'png',
    'dark',
    'layer',
    ['output', 'write FILE.svg, FILE.png or FILE.txt'],
    'stripe',
    ['device', 'show device vda, md0 or 254,0 (default: the array, else the busiest disk)'],
    'label',
    ['range', 'only this time window: seconds since the first event; either end may be omitted'],
    ...READING_COMPLETE,
  ],
  examples: [
    'plot before after',
    'plot --chart seek-map --range 2:3 before',
    'plot --ascii --columns 132 before after',
    'plot before after -o comparison.png',
    'plot --layer object before after -o files.png',
    'plot mail.txt -o results.svg',
  ],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    const options = readPlotOptions(values, { env: process.env, terminal: process.stdout.isTTY === true })
    await (await import('../plot/plot')).plot(inputs, options)
  },
}
