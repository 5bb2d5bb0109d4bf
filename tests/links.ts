/** Links that were cut, changed on their way, made by others or made to do harm, with what is left of each. */

import { ns, sector } from '../web/lib/units'
import type { Link } from '../web/link/link'

interface Damaged {
  readonly fragment: string
  /** What is shown. */
  readonly kept: Link
  /** Keys of what is said to be left out. */
  readonly lost: readonly string[]
}

const HOST = encodeURIComponent('https://elsewhere.example/')
const LONG = 'x'.repeat(9000)
const range = { t0: ns(1e9), t1: ns(2e9) }
const of = (fragment: string, lost: readonly string[], kept: Link = {}): Damaged => ({ fragment, kept, lost })

export const DAMAGED: readonly Damaged[] = [
  // nothing of ours
  of('', []),
  of('#', []),
  of('#v=1', []),
  of('#top', ['v']),
  of('#&&&', []),
  of('#===', ['v']),
  of('#%', ['v']),
  // versions
  of('#t=1..2', ['v'], { range }),
  of('#v=&t=1..2', ['v'], { range }),
  of('#v=0&t=1..2', ['v'], { range }),
  of('#v=2&t=1..2', ['v'], { range }),
  of('#v=99999&layer=op', ['v'], { layer: 'op' }),
  of('#v=1e9&layer=op', ['v'], { layer: 'op' }),
  of('#v=-1', ['v']),
  // parts of traces
  of('#v=1&win=2:0..12.5&win=3..', [], {
    windows: [{ trace: 2, window: { from_ns: ns(0), to_ns: ns(12.5e9) } }, { window: { from_ns: ns(3e9) } }],
  }),
  of(
    '#v=1&win=5..2&win=1:&win=..&win=21:0..1&win=1:-1..2&win=1:0..1e3&win=99999999999..&layer=op',
    Array(7).fill('win'),
    { layer: 'op' },
  ),
  // times and places
  of('#v=1&t=5..2&layer=op', ['t'], { layer: 'op' }),
  of('#v=1&t=1..1', ['t']),
  of('#v=1&t=1..', ['t']),
  of('#v=1&t=-1..2', ['t']),
  of('#v=1&t=NaN..Infinity', ['t']),
  of('#v=1&t=1..999999999999', ['t']),
  of('#v=1&t=1..2&t=3..4', ['t'], { range }),
  of('#v=1&lba=x..y', ['lba']),
  of('#v=1&lba=0..99999999999999999999', ['lba']),
  of('#v=1&lba=8..0&stage=d2c', ['lba'], { stage: 'd2c' }),
  of('#v=1&lat=0..0', ['lat']),
  // choices that there are not
  of('#v=1&layer=__proto__', ['layer']),
  of('#v=1&layer=op&stage=q2q', ['stage'], { layer: 'op' }),
  of('#v=1&layout=', ['layout']),
  of('#v=1&scale=1', ['scale']),
  of('#v=1&sizes=guessed&bars=pie&rate=0', ['sizes', 'bars', 'rate']),
  of('#v=1&finding=0', ['finding']),
  of('#v=1&finding=1.5', ['finding']),
  // geometry
  of('#v=1&geo=unit=0', ['geo']),
  of('#v=1&geo=unit=64KiB,disks=1000000', ['geo']),
  of('#v=1&geo=unit=64KiB,disks=3&geo.Z=none', ['geo.Z'], {
    geometry: { level: 'none', unit: sector(128), dataDisks: 3, start: sector(0) },
  }),
  // runs
  of('#v=1&base=Z&off=AAZ', ['base', 'off']),
  of('#v=1&run=0&run=21&run=1', ['run', 'run'], { order: [{ trace: 1 }] }),
  of('#v=1&label.a=x&label.AA=y&label.A=z', ['label.a', 'label.AA'], { labels: { A: 'z' } }),
  of('#v=1&label.__proto__=x', ['label.__proto__']),
  of('#v=1&label.A=', ['label.A']),
  of(`#v=1&title=${LONG}&layer=op`, ['title'], { layer: 'op' }),
  of('#v=1&cell.A=nothing&part=x', ['part', 'cell.A']),
  // filters
  of('#v=1&hide=op:nonsense&hide=op:read', ['hide'], {
    hidden: { ops: ['read'], flags: [], processes: [], cpus: [], alignment: [] },
  }),
  of('#v=1&hide=nonsense', ['hide']),
  of('#v=1&hide=cpu:99999999', ['hide']),
  // damaged on the way
  of('#v=1&title=%E2%82&layer=op', ['title'], { layer: 'op' }),
  of('#v=1&title=50%&layer=op', ['title'], { layer: 'op' }),
  of('#v=1&amp;layer=op&stage=d2c', [], { stage: 'd2c' }),
  of('#v=1&t=1..2&fbclid=IwAR0&utm_source=x', [], { range }),
  // addresses
  of('#v=1&url=javascript:alert(1)', ['url']),
  of('#v=1&url=data:text/plain,x', ['url']),
  of('#v=1&url=file:///etc/passwd', ['url']),
  of('#v=1&url=blob:https://elsewhere.example/1', ['url']),
  of('#v=1&url=ftp://elsewhere.example/t.tar', ['url']),
  of('#v=1&url=//elsewhere.example/t.tar', ['url']),
  of('#v=1&url=t.tar', ['url']),
  of('#v=1&url=', ['url']),
  of('#v=1&url=https://', ['url']),
  of('#v=1&url=https%3A%2F%2Fname%3Asecret%40elsewhere.example%2Ft.tar', ['url']),
  of('#v=1&url=https%3A%2F%2Felsewhere.example%2Ft%0A.tar', ['url']),
  of('#v=1&url=https%3A%2F%2Felsewhere.example%2Ft%00.tar', ['url']),
  of(`#v=1&url=${HOST}${LONG}`, ['url']),
  of('#v=1&sha=0123456789abcdef', ['sha']),
  of('#v=1&sample=nothing-of-the-kind', [], { sample: 'nothing-of-the-kind' }),
]
