/** Links that were cut, changed on their way, made by others or made to do harm, with what is left of each. */

import { ns, sector } from '../web/lib/units'
import type { Link } from '../web/link/link'

interface Damaged {
  readonly fragment: string
  /** The part of the link that is still applied. */
  readonly expected: Link
  /** Keys of fields that are reported as not applied. */
  readonly lost: readonly string[]
}

const HOST = encodeURIComponent('https://elsewhere.example/')
const LONG = 'x'.repeat(9000)
const range = { t0: ns(1e9), t1: ns(2e9) }
const damaged = (fragment: string, lost: readonly string[], expected: Link = {}): Damaged => ({
  fragment,
  expected,
  lost,
})

export const DAMAGED: readonly Damaged[] = [
  // Fragments without a version: links of other pages, or none.
  damaged('', []),
  damaged('#', []),
  damaged('#v=1', []),
  damaged('#top', ['v']),
  damaged('#&&&', []),
  damaged('#===', ['v']),
  damaged('#%', ['v']),
  // Versions that are missing, unknown or malformed.
  damaged('#t=1..2', ['v'], { range }),
  damaged('#v=&t=1..2', ['v'], { range }),
  damaged('#v=0&t=1..2', ['v'], { range }),
  damaged('#v=2&t=1..2', ['v'], { range }),
  damaged('#v=99999&layer=op', ['v'], { layer: 'op' }),
  damaged('#v=1e9&layer=op', ['v'], { layer: 'op' }),
  damaged('#v=-1', ['v']),
  // Time windows of traces that were read in part.
  damaged('#v=1&win=2:0..12.5&win=3..', [], {
    windows: [{ trace: 2, window: { from_ns: ns(0), to_ns: ns(12.5e9) } }, { window: { from_ns: ns(3e9) } }],
  }),
  damaged(
    '#v=1&win=5..2&win=1:&win=..&win=21:0..1&win=1:-1..2&win=1:0..1e3&win=99999999999..&layer=op',
    Array(7).fill('win'),
    { layer: 'op' },
  ),
  // Times and sectors.
  damaged('#v=1&t=5..2&layer=op', ['t'], { layer: 'op' }),
  damaged('#v=1&t=1..1', ['t']),
  damaged('#v=1&t=1..', ['t']),
  damaged('#v=1&t=-1..2', ['t']),
  damaged('#v=1&t=NaN..Infinity', ['t']),
  damaged('#v=1&t=1..999999999999', ['t']),
  damaged('#v=1&t=1..2&t=3..4', ['t'], { range }),
  damaged('#v=1&lba=x..y', ['lba']),
  damaged('#v=1&lba=0..99999999999999999999', ['lba']),
  damaged('#v=1&lba=8..0&stage=d2c', ['lba'], { stage: 'd2c' }),
  damaged('#v=1&lat=0..0', ['lat']),
  // Values that a choice does not have, among them names of properties of every object.
  damaged('#v=1&layer=__proto__', ['layer']),
  damaged('#v=1&layer=op&stage=q2q', ['stage'], { layer: 'op' }),
  damaged('#v=1&layout=', ['layout']),
  damaged('#v=1&scale=1', ['scale']),
  damaged('#v=1&sizes=guessed&bars=pie&rate=0', ['sizes', 'bars', 'rate']),
  damaged('#v=1&finding=0', ['finding']),
  damaged('#v=1&finding=1.5', ['finding']),
  // RAID geometries that are incomplete or impossible.
  damaged('#v=1&geo=unit=0', ['geo']),
  damaged('#v=1&geo=unit=64KiB,disks=1000000', ['geo']),
  damaged('#v=1&geo=unit=64KiB,disks=3&geo.Z=none', ['geo.Z'], {
    geometry: { level: 'none', unit: sector(128), dataDisks: 3, start: sector(0) },
  }),
  // Letters and numbers of runs that do not exist or repeat.
  damaged('#v=1&base=Z&off=AAZ', ['base', 'off']),
  damaged('#v=1&run=0&run=21&run=1', ['run', 'run'], { order: [{ trace: 1 }] }),
  damaged('#v=1&label.a=x&label.AA=y&label.A=z', ['label.a', 'label.AA'], { labels: { A: 'z' } }),
  damaged('#v=1&label.__proto__=x', ['label.__proto__']),
  damaged('#v=1&label.A=', ['label.A']),
  damaged(`#v=1&title=${LONG}&layer=op`, ['title'], { layer: 'op' }),
  damaged('#v=1&cell.A=nothing&part=x', ['part', 'cell.A']),
  // Filters of unknown kinds and values.
  damaged('#v=1&hide=op:nonsense&hide=op:read', ['hide'], {
    hidden: { ops: ['read'], flags: [], processes: [], cpus: [], alignment: [], objects: [], writers: [] },
  }),
  damaged('#v=1&hide=nonsense', ['hide']),
  damaged('#v=1&hide=cpu:99999999', ['hide']),
  // Percent encodings that were damaged on the way.
  damaged('#v=1&title=%E2%82&layer=op', ['title'], { layer: 'op' }),
  damaged('#v=1&title=50%&layer=op', ['title'], { layer: 'op' }),
  damaged('#v=1&amp;layer=op&stage=d2c', [], { stage: 'd2c' }),
  damaged('#v=1&t=1..2&fbclid=IwAR0&utm_source=x', [], { range }),
  // URLs that must not be fetched.
  damaged('#v=1&url=javascript:alert(1)', ['url']),
  damaged('#v=1&url=data:text/plain,x', ['url']),
  damaged('#v=1&url=file:///etc/passwd', ['url']),
  damaged('#v=1&url=blob:https://elsewhere.example/1', ['url']),
  damaged('#v=1&url=ftp://elsewhere.example/t.tar', ['url']),
  damaged('#v=1&url=//elsewhere.example/t.tar', ['url']),
  damaged('#v=1&url=t.tar', ['url']),
  damaged('#v=1&url=', ['url']),
  damaged('#v=1&url=https://', ['url']),
  damaged('#v=1&url=https%3A%2F%2Fname%3Asecret%40elsewhere.example%2Ft.tar', ['url']),
  damaged('#v=1&url=https%3A%2F%2Felsewhere.example%2Ft%0A.tar', ['url']),
  damaged('#v=1&url=https%3A%2F%2Felsewhere.example%2Ft%00.tar', ['url']),
  damaged(`#v=1&url=${HOST}${LONG}`, ['url']),
  damaged('#v=1&sha=0123456789abcdef', ['sha']),
  damaged('#v=1&sample=nothing-of-the-kind', [], { sample: 'nothing-of-the-kind' }),
]
