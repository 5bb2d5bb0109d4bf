/** The layers of a request as rows of bars on one time axis, and in words. Pure. */
import type { Life, RequestLayers } from '../../engine/protocol'
import { count, counted, duration, sectorSize } from '../../lib/format'
import type { Run } from '../../state/types'
import type { ChainLink } from './chain'

type RequestOfLayer = RequestLayers['requests'][number]

/** What a bar means, which decides its colour. */
export type BarMeaning = 'array' | 'waits' | 'device' | 'flush' | 'call'

export const BAR_WORDS: Readonly<Record<BarMeaning, string>> = {
  waits: 'waits above a device',
  device: 'in a device, D to C',
  array: 'in the upper device, Q to C',
  flush: 'flush',
  call: 'in the call',
}

export interface LayerBar {
  readonly meaning: BarMeaning
  readonly from: number
  readonly to: number
  readonly words: string
  /** Letter of the event at its begin. */
  readonly letter?: string
}

export interface LayerRow {
  readonly key: string
  readonly depth: number
  readonly name: string
  readonly detail: string
  readonly bars: readonly LayerBar[]
  /** ns. */
  readonly took: number | undefined
  /** Whether it is the request that was chosen. */
  readonly isChosen: boolean
}

/** The time of a row in words. */
export const tookWords = ({ took }: Pick<LayerRow, 'took'>): string =>
  took === undefined ? 'without C' : duration(took)

const beginOf = (request: RequestOfLayer): number | undefined => request.queued ?? request.issued

const tookOf = (request: RequestOfLayer): number | undefined => {
  const begin = beginOf(request)
  return begin === undefined || request.completed === undefined ? undefined : request.completed - begin
}

const nameIn = (run: Run, request: RequestOfLayer): string =>
  run.info?.devices.find(({ index }) => index === request.device)?.name ?? `device ${request.device}`

const isFlush = ({ role, op }: RequestOfLayer): boolean =>
  role === 'member-flush' || role === 'next-flush' || op === 'flush'

function barsOf(request: RequestOfLayer): readonly LayerBar[] {
  const { queued, issued, completed } = request
  const begin = beginOf(request)
  if (begin === undefined || completed === undefined) return []
  if (isFlush(request))
    return [{ meaning: 'flush', from: begin, to: completed, words: duration(completed - begin), letter: 'Q' }]
  if (issued === undefined)
    return [{ meaning: 'array', from: begin, to: completed, words: duration(completed - begin), letter: 'Q' }]
  const held: readonly LayerBar[] =
    queued === undefined
      ? []
      : [{ meaning: 'waits', from: queued, to: issued, words: `held ${duration(issued - queued)}`, letter: 'Q' }]
  const inside = duration(completed - issued)
  return [...held, { meaning: 'device', from: issued, to: completed, words: `D2C ${inside}`, letter: 'D' }]
}

function detailOf(request: RequestOfLayer, name: string): string {
  const task = `${request.process} ${request.pid}`
  if (request.role === 'next-flush') return `the next request of ${task}`
  if (request.role === 'member-flush') return `by ${request.process}, cpu ${request.submitCpu}`
  if (request.role === 'top') return `Q to C of the bio on ${name}, by ${task}`
  const more = request.otherParents > 0 ? `; also for ${counted(request.otherParents, 'further parent')}` : ''
  return `sector ${count(request.sector)}, by ${request.process}, cpu ${request.submitCpu}${more}`
}

/** The call in which the program waited, above all requests; none where it does not end in the trace. */
function callRows({ call, process, pid, row }: Caller): readonly LayerRow[] {
  if (call?.end === undefined) return []
  const took = call.end - call.begin
  return [
    {
      key: `call ${row}`,
      depth: 0,
      name: call.name,
      detail: `${process} ${pid}`,
      bars: [{ meaning: 'call', from: call.begin, to: call.end, words: duration(took) }],
      took,
      isChosen: false,
    },
  ]
}

/** A request with the call in which it was queued. */
export type Caller = Pick<Life, 'row' | 'call' | 'process' | 'pid'>

/** The call, then one row per request, and one for the time that the upper device spends before it sends anything on. */
export function layerRows({ requests }: RequestLayers, run: Run, caller: Caller): readonly LayerRow[] {
  const calls = callRows(caller)
  const { row } = caller
  // The flush behind a request, and all below it, stand one step further in: the request caused it.
  const flush = requests.findIndex(({ role }) => role === 'next-flush')
  const rows = requests.flatMap((request, i): LayerRow[] => {
    const depth = request.depth + Number(flush >= 0 && i >= flush) + calls.length
    const name = nameIn(run, request)
    const layer: LayerRow = {
      key: `${request.role} ${request.row}`,
      depth,
      name: isFlush(request) ? `flush of ${name}` : name,
      detail: detailOf(request, name),
      bars: barsOf(request),
      took: tookOf(request),
      isChosen: request.row === row,
    }
    const begin = beginOf(request)
    if (begin === undefined || request.belowFrom === undefined || request.belowFrom <= begin) return [layer]
    const before = request.belowFrom - begin
    return [
      layer,
      {
        key: `before ${request.row}`,
        depth: depth + 1,
        name: `in ${name} before its members`,
        detail: request.internal > 0 ? `${counted(request.internal, 'request')} of its own metadata first` : '',
        bars: [{ meaning: 'waits', from: begin, to: request.belowFrom, words: duration(before) }],
        took: before,
        isChosen: false,
      },
    ]
  })
  return [...calls, ...rows]
}

/** First and last time of all bars. */
export function spanOf(rows: readonly LayerRow[]): { readonly from: number; readonly to: number } | undefined {
  const bars = rows.flatMap(row => row.bars)
  if (bars.length === 0) return undefined
  return { from: Math.min(...bars.map(bar => bar.from)), to: Math.max(...bars.map(bar => bar.to)) }
}

const TICKS = 8

/** Round times from the first event on, ns, at most about eight. */
export function ticksOf(span: number): readonly number[] {
  const least = span / TICKS
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= least) ?? power * 10
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => i * step)
}

const topOf = ({ requests }: RequestLayers): RequestOfLayer | undefined => requests.find(({ role }) => role === 'top')

/** `4 KiB write, 1.09 ms in md0`. */
export function layersTitle(layers: RequestLayers, run: Run): string | undefined {
  const top = topOf(layers)
  const took = top && tookOf(top)
  if (top === undefined) return undefined
  const size = top.sectors > 0 ? `${sectorSize(top.sectors)} ` : ''
  return `${size}${top.op}${took === undefined ? '' : `, ${duration(took)}`} in ${nameIn(run, top)}`
}

/** Who sent it, and who passed it on; how often it was merged and requeued. */
export function layersPlace(layers: RequestLayers, run: Run, life: Life): string {
  const top = topOf(layers)
  if (top === undefined) return ''
  const members = layers.requests.filter(({ role }) => role === 'member')
  const names = [...new Set(members.map(member => nameIn(run, member)))].join(' and ')
  const tasks = [...new Set(members.map(({ process }) => process))]
  const isOwn = tasks.every(task => task === top.process)
  const passed =
    members.length === 0
      ? 'No request of its members is known.'
      : isOwn
        ? `${top.process} issued ${members.length === 1 ? 'its part' : `its ${members.length} parts`} on ${names}, too.`
        : `${members.length === 1 ? 'Its part' : `Its ${members.length} parts`} on ${names} came from ${tasks.join(' and ')}, not from the program: the submitter, ${top.process}, is taken from the top.`
  const requeues = life.events.filter(({ action }) => action === 'R').length
  const merged = life.bios.length > 1 ? `Merged from ${life.bios.length} bios` : 'Not merged'
  const left = layers.leftOut > 0 ? ` ${counted(layers.leftOut, 'further request')} not shown.` : ''
  return `${passed} ${merged}, ${requeues === 0 ? 'no requeue' : counted(requeues, 'requeue')}.${left}`
}

/** The links of the chain for the devices: the upper one with its sector, then the members. */
export function deviceLinks(layers: RequestLayers, run: Run): readonly ChainLink[] {
  const top = topOf(layers)
  if (top === undefined) return []
  const members = layers.requests.filter(({ role }) => role === 'member')
  const names = [...new Set(members.map(member => nameIn(run, member)))]
  const sectors = [...new Set(members.map(({ sector }) => count(sector)))]
  const where = sectors.length === 1 ? `, sector ${sectors[0]}` : ''
  return [
    { role: 'device', words: `${nameIn(run, top)}${top.sectors > 0 ? `, sector ${count(top.sector)}` : ''}` },
    ...(names.length === 0 ? [] : [{ role: 'on', words: `${names.join(' + ')}${where}` }]),
  ]
}

/** The rows as text: indented names with their times. */
export const layersText = (rows: readonly LayerRow[]): string =>
  rows
    .map(row => {
      const { depth, name, bars } = row
      const parts = bars.map(({ words }) => words).join(', ')
      return `${'  '.repeat(depth)}${name}: ${tookWords(row)}${bars.length > 1 ? ` (${parts})` : ''}`
    })
    .join('\n')
