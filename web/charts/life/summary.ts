/** A request's life in words, and as text for a mail. */
import type { Life, RequestLayers } from '../../engine/protocol'
import { change, count, counted, duration, seconds, sectorSize } from '../../lib/format'
import { ZONE_NAMES } from '../../lib/zones'
import type { Run } from '../../state/types'
import { deviceName } from '../shared/answers/names'
import { listed } from '../shared/answers/shown'
import { ascii, toText, wrap } from '../shared/answers/table'
import { partsInWords } from '../tail/summary'
import { chainOf, chainText, type RequestPart, unknownWords } from './chain'
import { deviceLinks, layerRows, layersText } from './layers'
import { medianOf, STAGE, TIME } from './spec'
import { type LifeStep, lengthOf } from './steps'
import type { RequestCauses } from './useLife'

/** `4 KiB sync write by dd, 803.9 ms`. */
export function title(life: Life, steps: readonly LifeStep[]): string {
  const sync = life.rwbs.includes('S') ? 'sync ' : ''
  const fua = life.rwbs.indexOf('F') > 0 ? 'FUA ' : ''
  const size = life.sectors > 0 ? `${sectorSize(life.sectors)} ` : ''
  const length = lengthOf(steps)
  return `${size}${sync}${fua}${life.zone?.kind === undefined ? life.op : ZONE_NAMES[life.zone.kind]} by ${life.process}${length === undefined ? '' : `, ${duration(length)}`}`
}

const cpuOf = (life: Life, action: string): number | undefined => life.events.find(e => e.action === action)?.cpu

/** The place on the disk, the process, the CPUs and the number of bios. */
export function place(life: Life, run: Run): string {
  const on = life.via === undefined ? deviceName(life.dev, run) : deviceName(life.via, run)
  const zone = life.zone?.kind === 'reset-all' ? undefined : life.zone
  const where =
    life.sectors > 0
      ? `Sector ${count(life.sector)} + ${count(life.sectors)} on ${on}.${zone ? ` ${zoneSentence(zone)}` : ''}`
      : zone
        ? `On ${on}. ${zoneSentence(zone)}`
        : `On ${on}, without sectors.`
  const [q, d, c] = [life.submitCpu ?? cpuOf(life, 'Q'), cpuOf(life, 'D'), life.completeCpu ?? cpuOf(life, 'C')]
  const cpus = [
    q !== undefined && `queued on cpu ${q}`,
    d !== undefined && `issued from cpu ${d}`,
    c !== undefined && `completed on cpu ${c}`,
  ]
    .filter(Boolean)
    .join(', ')
  const bios =
    life.bios.length === 1
      ? ' One bio, not merged.'
      : life.bios.length > 1
        ? ` ${counted(life.bios.length, 'bio')} merged into it.`
        : ''
  const error = life.error === undefined ? '' : ` It failed: ${life.errorWords ?? `error ${life.error}`}.`
  return `${where} pid ${life.pid}${cpus === '' ? '' : `; ${cpus}`}.${bios}${error}`
}

/** `Zone 3; the write pointer was at sector 98,432.` */
function zoneSentence({ number, conventional, pointer }: NonNullable<Life['zone']>): string {
  const where = pointer === undefined ? '' : `; the write pointer was at sector ${count(pointer)}`
  return `Zone ${count(number)}${conventional ? ', conventional' : where}.`
}

/** What overtook it, and the rank of its latency. */
export function standing(life: Life, run: Run): string {
  const sum = life.overtaken.reduce((a, o) => a + o.n, 0)
  const overtakers = listed(life.overtaken.slice(0, 4).map(o => `${o.process} ${count(o.n)}`))
  const more = life.overtaken.length > 4 ? ' and more' : ''
  const overtaken =
    sum === 0
      ? ''
      : `While it waited, ${counted(sum, 'other request')} ${sum === 1 ? 'was' : 'were'} issued: ${overtakers}${more}. `
  const requests = run.info?.devices.find(d => d.dev === life.dev)?.requests
  const what = life.queued === undefined ? 'D2C' : 'Q2C'
  const total = requests === undefined ? '' : ` of the ${count(requests)} in this run`
  if (life.completed === undefined) return `${overtaken}It was not completed within the trace.`
  return `${overtaken}${life.rank === 1 ? `It is the slowest${total} (${what}).` : `It is the ${ordinal(life.rank)} slowest${total} (${what}).`}`
}

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const ordinal = (n: number): string =>
  ORDINALS[n] ?? `${count(n)}${n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`

/** Prints an event as blkparse does: time, cpu, pid, action, flags, sectors, process. */
export function eventLine(e: Life['events'][number]): string {
  const where = e.sectors > 0 ? `${e.sector} + ${e.sectors}` : ''
  return `${seconds(e.at, 9).padStart(14)} ${String(e.cpu).padStart(3)} ${String(e.pid).padStart(6)} ${e.action.padStart(2)} ${e.rwbs.padStart(4)} ${where} [${e.process}]${e.zone === undefined ? '' : ` ${ZONE_NAMES[e.zone]}`}`.replace(
    / {2}\[/,
    ' [',
  )
}

const JOINED: Readonly<Record<string, string>> = {
  first: 'first',
  'back-merge': 'merged at the back',
  'front-merge': 'merged at the front',
  'request-merge': 'from a merged request',
  split: 'split off',
}

export const joinedWords = (joined: Life['bios'][number]['joined']): string => JOINED[joined] ?? joined

/** The life as 72 columns of ASCII. */
export function asText(
  life: Life,
  steps: readonly LifeStep[],
  run: Run,
  causes?: RequestCauses,
  parts: readonly RequestPart[] = [],
  layers?: RequestLayers,
): string {
  const table = toText({
    title: `${run.letter} (${run.label}): ${title(life, steps)}`,
    columns: [
      { label: STAGE, text: true },
      { label: '', text: true },
      { label: TIME },
      { label: 'took, ms' },
      { label: medianOf(run.letter) },
      { label: '' },
    ],
    rows: steps.map(s => [
      s.letter,
      s.name,
      seconds(s.time, 6),
      s.took === undefined ? '' : (s.took / 1e6).toFixed(3),
      s.median === undefined ? '' : (s.median / 1e6).toFixed(3),
      s.took === undefined || s.median === undefined ? '' : change(s.median, s.took),
    ]),
  })
  const events = life.events.map(eventLine).map(ascii).join('\n')
  const devices = layers ? deviceLinks(layers, run) : []
  const tree = layers ? `${ascii(layersText(layerRows(layers, run, life)))}\n` : ''
  const why = causes ? `${wrap(ascii(`Its time: ${partsInWords(causes.slow, causes.labels)}.`))}\n` : ''
  const unknown = unknownWords(life, parts)
  const chain =
    parts.length > 0 || devices.length > 0
      ? `${chainText(chainOf(life, parts, run, devices))}.${unknown ? ` ${unknown}` : ''}`
      : ''
  const origin = chain === '' ? '' : `${wrap(ascii(chain))}\n`
  return `${table}\n${wrap(ascii(place(life, run)))}\n${origin}${tree}${why}${wrap(ascii(standing(life, run)))}\n\n${events}\n`
}
