/** One unit for several values of a figure: that of the largest. */
import type { Kind } from './figures'

export interface Scale {
  readonly per: number
  readonly unit: string
}

const TIMES = [
  { per: 1e9, unit: 's', from: 2e9 },
  { per: 1e6, unit: 'ms', from: 1e5 },
  { per: 1e3, unit: '\u00b5s', from: 0 },
]
const SIZES = [
  { per: 2 ** 30, unit: 'GiB', from: 2 ** 31 },
  { per: 2 ** 20, unit: 'MiB', from: 2 ** 20 },
  { per: 2 ** 10, unit: 'KiB', from: 2 ** 10 },
  { per: 1, unit: 'B', from: 0 },
]

export function scaleOf(kind: Kind, of: string | undefined, most: number): Scale {
  switch (kind) {
    case 'time':
      return TIMES.find(t => most >= t.from) ?? { per: 1, unit: 'ns' }
    case 'bytes':
      return SIZES.find(s => most >= s.from) ?? { per: 1, unit: 'B' }
    case 'rate':
      return { per: 1e6, unit: 'MB/s' }
    case 'share':
      return { per: 0.01, unit: of === undefined ? '%' : `% of ${of}` }
    case 'per-second':
      return { per: 1, unit: '1/s' }
    case 'sectors':
      return { per: 1, unit: 'sectors' }
    default:
      return { per: 1, unit: of ?? '' }
  }
}
