/** Values of the options of `seekscope plot`. All throw UsageError. */

import { LAYERS } from '../../web/engine/protocol'
import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { exclude, readGeometry, readRange } from '../program/values'
import { CHARTS, type PlotName, USUAL } from './names'
import type { PlotOptions } from './plot'

const NARROWEST = 40
const WIDEST = 240
/** Fits mail. */
const USUAL_COLUMNS = 72

/** What decides how text looks. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Standard output is a terminal. */
  readonly terminal: boolean
}

/** Whether the locale's characters are UTF-8, by the first of the variables that is set. */
const isUtf8 = ({ LC_ALL, LC_CTYPE, LANG }: Surroundings['env']): boolean =>
  /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '')

const hasColours = ({ env, terminal }: Surroundings): boolean => terminal && !env.NO_COLOR && env.TERM !== 'dumb'

function readColumns({ columns }: OptionValues): number {
  if (columns === undefined) return USUAL_COLUMNS
  const n = /^\d{1,4}$/.test(columns) ? Number(columns) : 0
  if (n < NARROWEST || n > WIDEST)
    throw new UsageError(`--columns: ${columns} is not a number from ${NARROWEST} to ${WIDEST}`)
  return n
}

/** By name, or by a word that only one name has. */
function readCharts({ chart }: OptionValues): PlotOptions['charts'] {
  if (chart === undefined) return USUAL
  const names = chart.map(text => {
    const [match, ...more] = CHARTS.includes(text as PlotName)
      ? [text as PlotName]
      : CHARTS.filter(name => name.split('-').includes(text))
    if (!match || more.length > 0)
      throw new UsageError(`--chart: unknown chart ${text || "''"}; use ${CHARTS.join(', ')}`)
    return match
  })
  return [...new Set(names)]
}

function readLayer({ layer }: OptionValues): PlotOptions['layer'] {
  const found = LAYERS.find(name => name === layer)
  if (layer !== undefined && found === undefined)
    throw new UsageError(`--layer: unknown layer ${layer || "''"}; use ${LAYERS.join(', ')}`)
  return found
}

type Format = 'svg' | 'png' | 'text'

/** By the flags, else by the end of the file's name. */
function readFormat(values: OptionValues): Format {
  exclude(values, 'svg', 'png')
  const { output, svg, png } = values
  const flag = svg ? 'svg' : png ? 'png' : undefined
  const [, end] = /\.(svg|png|txt)$/i.exec(output ?? '') ?? []
  const named = end?.toLowerCase().replace('txt', 'text') as Format | undefined
  if (output !== undefined && named === undefined && flag === undefined)
    throw new UsageError(`-o: ${output} must end in .svg, .png or .txt`)
  if (flag && named && flag !== named) throw new UsageError(`-o: ${output} does not end in .${flag}`)
  return flag ?? named ?? 'text'
}

export function readPlotOptions(values: OptionValues, surroundings: Surroundings): PlotOptions {
  const format = readFormat(values)
  const columns = readColumns(values)
  if (format === 'text') {
    for (const name of ['dark', 'layer'] as const)
      if (values[name]) throw new UsageError(`--${name} needs --svg, --png or -o with such a file`)
  } else {
    for (const name of ['ascii', 'columns'] as const)
      if (values[name]) throw new UsageError(`--${name} is for text, not for a picture`)
    if (format === 'png' && values.output === undefined && surroundings.terminal) {
      throw new UsageError('a PNG cannot be shown in a terminal: give -o FILE.png')
    }
  }
  const { output, device, label = [] } = values
  const layer = readLayer(values)
  return {
    charts: readCharts(values),
    screen: {
      columns,
      ascii: values.ascii ?? !isUtf8(surroundings.env),
      coloured: output === undefined && hasColours(surroundings),
    },
    labels: label,
    ...(format !== 'text' && { picture: { format, dark: values.dark ?? false } }),
    ...(output !== undefined && { output }),
    ...(device !== undefined && { device }),
    ...(layer !== undefined && { layer }),
    ...readGeometry(values),
    ...readRange(values),
  }
}
