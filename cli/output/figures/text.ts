/** Figures as text: plain ASCII, at most 80 columns, a unit next to each number. */
import { type Fact, type Latency, type PrintedTogether, type TraceNote, ZONE_KINDS } from '../../../web/engine/protocol'
import type {
  MemberCheck,
  SummaryClasses,
  SummaryCounters,
  SummaryDevice,
  SummaryTrace,
  Throughput,
} from '../../../web/engine/summary'
import { driverFacts } from '../../../web/lib/drivers'
import { ascii } from '../../../web/lib/format'
import { stalledInWords, stallInWords } from '../../../web/lib/moments'
import { zonesCounted } from '../../../web/lib/zones'
import { windowInWords } from '../../../web/state/runs/part'
import { counterRows } from './counters'
import { callLines, layerLines } from './layers'
import { objectLines } from './objects'
import { printable } from './printable'
import { stackLines } from './stacks'

const { count, counted, duration, figure, quantity, rate, share, size, sectorSize } = ascii

const COLUMNS = 80
const LABEL = 14
const CELL = 9
const WIDE = 13
const MARGIN = 2

const ACTIONS = ['Q', 'G', 'I', 'D', 'C', 'M', 'F', 'X', 'R', 'A', 'P', 'U', 'UT', 'm']
/** Actions at which a run can begin, the first recorded one counts. */
const FIRST_ACTIONS = ['Q', 'D', 'C']
const STAGES = ['q2c', 'd2c', 'q2d', 'q2g', 'g2i', 'i2d', 'g2d']
const CLASSES = [
  'full_stripe',
  'unit_aligned',
  'inside_unit',
  'straddles',
] as const satisfies readonly (keyof SummaryClasses)[]

/** Entries of a record in a given order; keys that the order lacks come last. */
function ordered<T>(record: Readonly<Record<string, T>>, order: readonly string[]): [string, T][] {
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  return Object.entries(record).sort(([a], [b]) => rank(a) - rank(b))
}

/** A label and facts, separated by commas; nothing without facts. */
function line(label: string, facts: readonly (string | undefined)[]): string[] {
  const present = facts.filter(fact => fact !== undefined)
  return present.length > 0 ? [`  ${label.padEnd(LABEL)}${present.join(', ')}`] : []
}

/** Marks a figure that lost events or the clock make unreliable. */
const UNRELIABLE = '*'

const mark = ({ spoiled }: SummaryDevice, name: string): string => (spoiled?.includes(name) ? UNRELIABLE : '')

/** A label and right-aligned cells. */
const row = (label: string, cells: readonly string[], width = CELL): string =>
  `  ${label.padEnd(LABEL - 2)}${cells.map(cell => cell.padStart(width)).join('')}`

const LATENCY_HEAD = row('latency', ['n', 'min', 'mean', 'p50', 'p95', 'p99', 'max'])

const latencyCells = (s: Latency): string[] => [
  count(s.n),
  ...[s.min, s.mean, s.p50, s.p95, s.p99, s.max].map(duration),
]

function latencies(device: SummaryDevice): string[] {
  const stages = ordered(device.latency_ns, STAGES)
  if (stages.length === 0) return []
  return [
    LATENCY_HEAD,
    ...stages.map(([name, s]) => row(`  ${name}${mark(device, `latency_ns.${name}`)}`, s ? latencyCells(s) : [])),
  ]
}

/** The percentiles over the requests of all traces. */
export function togetherText({ disks, q2c, d2c }: PrintedTogether): string {
  const lines = [q2c && row('  q2c', latencyCells(q2c)), d2c && row('  d2c', latencyCells(d2c))]
  return [
    `all requests of ${counted(disks.length, 'disk')} together`,
    ...paragraph('disks', disks.map(printable).join(', ')),
    LATENCY_HEAD,
    ...lines.filter(shown => shown !== undefined),
  ].join('\n')
}

const MAX_CAUSES = 5
/** Causes with a smaller share are summed as other causes. */
const MIN_CAUSE = 0.005
const CAUSE = 50

/** Causes of the latency of the slowest requests. */
function tailLines(device: SummaryDevice): string[] {
  const { tail } = device
  if (!tail) return []
  const above = `p${+(tail.percentile * 100).toFixed(2)}`
  const shown = tail.causes.filter(cause => cause.share >= MIN_CAUSE).slice(0, MAX_CAUSES)
  const rest = 1 - shown.reduce((sum, cause) => sum + cause.share, 0)
  const cause = (label: string, part: number, ns?: number) =>
    `    ${label.padEnd(CAUSE)}${share(part).padStart(6)}${ns === undefined ? '' : duration(ns).padStart(12)}`
  const served = (tail.served ?? []).map(({ pid, name, share: part }) => `${printable(name)} (${pid}) ${share(part)}`)
  return [
    ...line(`slowest${mark(device, 'tail')}`, [
      `${counted(tail.requests, 'request')} above ${duration(tail.threshold_ns)} (${above} of ${tail.stage.toUpperCase()})`,
      `${figure(tail.in_flight)} others in flight`,
    ]),
    ...shown.map(({ label, share: part, ns }) => cause(label, part, ns)),
    ...(rest >= 0.0005 ? [cause('other causes', rest)] : []),
    ...(served.length > 0 ? paragraph('  served', served.join(', ')) : []),
  ]
}

/** Failed requests: whose, why, and whether they were issued again. */
function failedLines(device: SummaryDevice): string[] {
  const { failed } = device
  if (!failed) return []
  const { by_error: errors, by_operation: operations, by_process: processes = [], retries } = failed
  const more = (n: number | undefined) => (n ? [`and ${count(n)} more`] : [])
  const error = ({ errno, name, meaning, requests }: (typeof errors)[number]) =>
    `${count(requests)} ${name ?? `error ${errno}`}${meaning ? ` (${meaning})` : ''}`
  const retriedText = retries?.issued_again
    ? `${count(retries.issued_again)} issued again: ${count(retries.succeeded)} succeeded, ${count(retries.failed_again)} failed again`
    : undefined
  const words = [
    `${counted(failed.requests, 'request')}, ${size(failed.bytes)}`,
    [...errors.map(error), ...more(failed.more_errors)].join(', '),
    operations.map(({ operation, requests }) => `${operation} ${count(requests)}`).join(', '),
    ...(failed.never_issued ? [`${count(failed.never_issued)} refused and never issued`] : []),
    ...(processes.length > 0
      ? [
          [
            ...processes.map(({ pid, name, requests }) => `${printable(name)} (${pid}) ${count(requests)}`),
            ...more(failed.more_processes),
          ].join(', '),
        ]
      : []),
    ...(retriedText ? [retriedText] : []),
  ]
  return paragraph(`failed${mark(device, 'failed')}`, words.join('; '))
}

const MAX_SIZES = 5

function sizes(device: SummaryDevice): string[] {
  const { issued = [], completed = [], queued = [] } = device.sizes
  const [sizesAt, rows] = (
    [
      ['issued', issued],
      ['completed', completed],
      ['queued', queued],
    ] as const
  ).find(([, rows]) => rows.length > 0) ?? ['issued', []]
  const total = (r: (typeof rows)[number]) => r.reads + r.writes + r.discards
  const all = rows.reduce((sum, r) => sum + total(r), 0)
  const shown = [...rows].sort((a, b) => total(b) - total(a)).slice(0, MAX_SIZES)
  if (shown.length === 0) return []
  const rest = rows.length > shown.length ? [`    and ${counted(rows.length - shown.length, 'other size')}`] : []
  return [
    row(`${sizesAt}${mark(device, 'sizes')}`, ['reads', 'writes', 'discards', 'share'], WIDE),
    ...shown.map(r =>
      row(
        `  ${sectorSize(r.sectors)}`,
        [count(r.reads), count(r.writes), count(r.discards), share(total(r) / all)],
        WIDE,
      ),
    ),
    ...rest,
  ]
}

function membersOf({ members, of: disks, counted: measured, estimated, agreement }: MemberCheck): string[] {
  const extra = (e: typeof measured) => `${size(e.read_bytes)} read, ${size(e.write_bytes)} written`
  return [
    ...line('members', [`${members.length} of ${disks}: ${extra(measured)} extra`]),
    ...line('', [`${extra(estimated)} estimated, agreement ${share(agreement)}`]),
  ]
}

function alignment(device: SummaryDevice): string[] {
  const found = device.alignment
  if (!found) return []
  const classes = CLASSES.map(name => [name, found.classes[name]] as const)
  const parity = /raid[56]/.test(found.spec)
  const all = classes.reduce((sum, [, c]) => sum + c.requests, 0)
  return [
    ...line(`alignment${mark(device, 'alignment')}`, [found.spec]),
    ...classes.map(([name, c]) =>
      row(
        `  ${name.replace('_', ' ')}`,
        [count(c.requests), all > 0 ? share(c.requests / all) : '', size(c.bytes)],
        WIDE,
      ),
    ),
    ...line(
      'stripes',
      found.stripes ? [`${count(found.stripes.full)} full`, `${count(found.stripes.partial)} partial`] : [],
    ),
    ...line(
      found.rmw?.told ? 'rmw, by md' : 'rmw estimate',
      parity && found.rmw
        ? [counted(found.rmw.reads, 'read'), counted(found.rmw.writes, 'write'), `${size(found.rmw.extra_bytes)} extra`]
        : [],
    ),
    ...(parity && found.members ? membersOf(found.members) : []),
    ...line('off 4 KiB', [counted(found.misaligned_4k, 'request')]),
  ]
}

function eventLines(device: SummaryDevice): string[] {
  const cells = ordered(device.events, ACTIONS).flatMap(([action, n]) => (n > 0 ? [`${action} ${count(n)}`] : []))
  const lines = ['']
  for (const cell of cells) {
    const last = lines.length - 1
    if ((lines[last] ?? '').length + cell.length + 2 > 60) lines.push(cell)
    else lines[last] = lines[last] ? `${lines[last]}  ${cell}` : cell
  }
  return lines.map((text, i) => `  ${(i === 0 ? `events${mark(device, 'events')}` : '').padEnd(LABEL)}${text}`)
}

const rates = (r: Throughput): string[] => [
  `${rate(r.read_bps)} read`,
  `${rate(r.write_bps)} written`,
  `${figure(r.iops)} IOPS`,
]

function whyUnreliable({ dev }: SummaryDevice, { clock, holes }: SummaryTrace['quality']): string {
  if (holes.some(hole => hole.device === dev)) return `events of ${dev} were lost, see above`
  return clock ? 'the clock steps back, see above' : 'no device has such rates or times; the recording is damaged'
}

/** `device vda (disk), first Q to last C 2.1 s`. */
function deviceTitle({ name, dev, role, recorded, span_ns }: SummaryDevice): string {
  const first = FIRST_ACTIONS.find(action => recorded?.includes(action)) ?? 'Q'
  const last = recorded === undefined || recorded.includes('C') ? 'C' : 'event'
  return `device ${name ?? dev} (${role}), first ${first} to last ${last} ${duration(span_ns)}`
}

/** A line of a figure, marked where the figure is unreliable; none where it is absent. */
function figureLine<T>(
  device: SummaryDevice,
  label: string,
  name: string,
  figure: T | undefined,
  words: (figure: T) => readonly (string | undefined)[],
): string[] {
  return line(`${label}${mark(device, name)}`, figure === undefined ? [] : words(figure))
}

const transferLines = (d: SummaryDevice): string[] => [
  ...figureLine(d, 'completed', 'bytes', d.bytes, bytes => [
    `${size(bytes.read)} read`,
    `${size(bytes.write)} written`,
    bytes.discard > 0 ? `${size(bytes.discard)} discarded` : undefined,
  ]),
  ...failedLines(d),
  ...figureLine(d, 'throughput', 'throughput', d.throughput, rates),
  ...line(d.rate?.at ?? '', d.rate ? rates(d.rate) : []),
]

const queueLines = (d: SummaryDevice): string[] => [
  ...figureLine(d, 'queue depth', 'depth', d.depth, depth => [
    `mean ${figure(depth.mean)}`,
    `p50 ${depth.p50}`,
    `p95 ${depth.p95}`,
    `max ${depth.max}`,
  ]),
  ...line('outstanding', d.outstanding ? [`mean ${figure(d.outstanding.mean)} bios`, `max ${d.outstanding.max}`] : []),
  ...figureLine(d, 'waiting', 'waiting', d.waiting, waiting => [`mean ${figure(waiting.mean)}`, `max ${waiting.max}`]),
  ...figureLine(d, 'starved', 'starved', d.starved, starved => [
    share(starved.share),
    duration(starved.total_ns),
    `longest ${duration(starved.longest_ns)}`,
    counted(starved.intervals, 'interval'),
  ]),
]

function accessLines(d: SummaryDevice): string[] {
  const { seek } = d
  const seeks = seek.issued ?? seek.completed ?? (d.row === 'queue' || d.row === 'bio' ? seek.queued : undefined)
  return [
    ...figureLine(d, 'seeks', 'seek', seeks, seeks => [
      `${share(seeks.sequential_share)} sequential`,
      `median ${counted(seeks.median_abs, 'sector')}`,
      `${figure(seeks.per_second_64k)}/s above 64 KiB`,
    ]),
    ...figureLine(d, 'interleaving', 'interleaving', d.interleaving, interleaving => [
      `${share(interleaving.switch_share)} of issues switch process`,
      `mean run ${figure(interleaving.mean_run)}`,
    ]),
    ...(d.zones ? paragraph('zones', zoneFacts(d.zones).join(', ')) : []),
  ]
}

const mergeLines = (d: SummaryDevice): string[] => [
  ...figureLine(d, 'merges', 'merges', d.merges, merges => [
    merges.back === undefined ? undefined : `${count(merges.back)} back`,
    merges.front === undefined ? undefined : `${count(merges.front)} front`,
    merges.q_per_d === undefined ? undefined : `${figure(merges.q_per_d)} Q per D`,
  ]),
  ...figureLine(d, 'flush', 'flush', d.flush, flush => [
    flush.preflush === undefined ? undefined : `${count(flush.preflush)} preflush`,
    flush.flush === undefined ? undefined : `${count(flush.flush)} flush`,
    flush.fua === undefined ? undefined : `${count(flush.fua)} FUA`,
    flush.busy_share === undefined ? undefined : `in flight ${share(flush.busy_share)} of the time`,
  ]),
]

const deviceLines = (d: SummaryDevice, quality: SummaryTrace['quality']): string[] => [
  deviceTitle(d),
  ...eventLines(d),
  ...transferLines(d),
  ...queueLines(d),
  ...latencies(d),
  ...tailLines(d),
  ...layerLines(d.layer),
  ...objectLines(d.objects),
  ...callLines(d.calls),
  ...stackLines(d.stacks),
  ...sizes(d),
  ...accessLines(d),
  ...mergeLines(d),
  ...alignment(d),
  ...absentLines(d),
  ...(d.hint ? paragraph('perhaps', d.hint) : []),
  ...(d.spoiled ? [`  ${UNRELIABLE} unreliable: ${whyUnreliable(d, quality)}`] : []),
]

/** Figures that the recorded actions do not suffice for, by reason. */
function absentLines({ absent = {} }: SummaryDevice): string[] {
  const reasons = [...new Set(Object.values(absent))]
  const names = (reason: string) => Object.keys(absent).filter(name => absent[name] === reason)
  return reasons.flatMap((reason, i) => paragraph(i === 0 ? 'absent' : '', `${reason}: ${names(reason).join(', ')}`))
}

/** Words wrapped to the width, indented below the label. */
function paragraph(label: string, text: string, width = LABEL): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1] ?? ''
    if (last && MARGIN + width + last.length + 1 + word.length > COLUMNS - MARGIN) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines.map((words, i) => `  ${(i === 0 ? label : '').padEnd(width)}${words}`)
}

/** Facts about a zoned disk. */
function zoneFacts({
  zone_sectors,
  zones,
  actions,
  writes,
  appends,
  off_pointer,
  off_pointer_failed,
  refused,
  conventional,
  actions_by_name,
}: NonNullable<SummaryDevice['zones']>): string[] {
  const { action: unnamed = 0, ...counts } = actions_by_name
  const names = ZONE_KINDS.flatMap(kind =>
    kind !== 'action' && counts[kind] ? [zonesCounted(kind, counts[kind], counted)] : [],
  )
  const list = [...names, ...(unnamed > 0 ? [`${count(unnamed)} not recorded which`] : [])]
  const namesText = names.length > 0 ? ` (${list.join(', ')})` : ''
  return [
    `of ${sectorSize(zone_sectors)}`,
    `${count(zones)} written`,
    counted(writes, 'write'),
    `${count(off_pointer)} off the write pointer${off_pointer > 0 && off_pointer_failed !== undefined ? ` (${count(off_pointer_failed)} failed)` : ''}`,
    ...(refused ? [`${count(refused)} refused by the kernel`] : []),
    ...(appends > 0 ? [counted(appends, 'append')] : []),
    counted(actions, 'zone action') + namesText,
    conventional === undefined ? 'types of zones unknown' : `${count(conventional)} in conventional zones`,
  ]
}

const MAX_HOLES = 8

/** Intervals in which events were lost. */
function holeLines(holes: SummaryTrace['quality']['holes']): string[] {
  const first = holes.slice(0, MAX_HOLES).map(h => {
    const lossText = h.lost === undefined ? `silent, ${count(h.strays ?? 0)} unmatched` : `${count(h.lost)} lost`
    return `${h.device} cpu ${h.cpu}, ${ascii.seconds(h.from, 6)} to ${ascii.seconds(h.to, 6)} s: ${lossText}`
  })
  const more = holes.length > MAX_HOLES ? [`and ${counted(holes.length - MAX_HOLES, 'other interval')}`] : []
  return [...first, ...more].flatMap((text, i) => line(i === 0 ? 'lost' : '', [text]))
}

function qualityLines({
  lost_events,
  truncated_bytes,
  unknown_records,
  unmatched,
  reissued = 0,
  drivers,
  holes,
  warnings,
}: SummaryTrace['quality']): string[] {
  const facts = [
    lost_events > 0 ? counted(lost_events, 'lost event') : undefined,
    truncated_bytes > 0 ? `${counted(truncated_bytes, 'byte')} truncated` : undefined,
    unknown_records > 0 ? counted(unknown_records, 'unknown record') : undefined,
    reissued > 0 ? `${count(reissued)} reissued (R not recorded)` : undefined,
    unmatched.Q + unmatched.D + unmatched.C > 0
      ? `unmatched Q ${unmatched.Q} D ${unmatched.D} C ${unmatched.C}`
      : undefined,
  ]
  return [
    ...line('quality', facts),
    ...(drivers ? paragraph('driver', driverFacts(drivers, ascii).join(', ')) : []),
    ...holeLines(holes),
    ...warnings.flatMap(({ code, message }) => paragraph('warning', `${code}: ${message}`)),
  ]
}

/** `before`: what the previous fact was about, which is not repeated. */
function factText({ of: subject, name, value, unit }: Fact, before: string | undefined): string {
  const words = typeof value === 'number' ? (unit ? quantity(unit, value) : String(value)) : value
  return `${subject === undefined || subject === before ? '' : `${subject}: `}${name} ${words}`
}

/** Maximum number of facts per note; `--json` has all. */
const MAX_FACTS = 12

const noteLines = (notes: readonly TraceNote[]): string[] =>
  notes.flatMap(({ file, what, facts }) => {
    const rest = facts.length > MAX_FACTS ? [`and ${counted(facts.length - MAX_FACTS, 'other fact')}`] : []
    const words = [...facts.slice(0, MAX_FACTS).map((fact, i) => factText(fact, facts[i - 1]?.of)), ...rest].join('; ')
    const name = file.slice(file.lastIndexOf('/') + 1)
    return paragraph('note', printable(`${name}, ${what}${words ? `: ${words}` : ''}`))
  })

/** Notes whose contents are figures. */
const SHOWN_ELSEWHERE: readonly TraceNote['kind'][] = ['counters', 'disk-map', 'file-system-events', 'call-stacks']

/** Means of counters over the run; a file that has no place on the run's clock has the reason. */
function counterLines(counters: readonly SummaryCounters[]): string[] {
  return counters.flatMap(source => {
    const name = source.file.slice(source.file.lastIndexOf('/') + 1)
    const rows = counterRows(source)
    const emptyText = source.lanes.length === 0 ? 'no samples in this range' : 'all 0 in the run'
    return [
      ...paragraph('counters', printable(`${name}, ${source.what}`)),
      ...paragraph('', printable(source.absent ? `no lanes: ${source.absent}` : (source.clock ?? ''))),
      ...(source.absent !== undefined && rows.length === 0
        ? []
        : rows.length === 0
          ? paragraph('', emptyText)
          : [row('', ['', 'mean', 'min', 'max'], WIDE)]),
      ...rows.map(
        ({ label, cells }) =>
          `    ${printable(label).padEnd(LABEL - 4 + WIDE)}${cells.map(cell => cell.padStart(WIDE)).join('')}`,
      ),
    ]
  })
}

const MAX_MOMENTS = 8

/** Stalls of the devices, the first ones. */
function momentLines({ moments, devices }: SummaryTrace): string[] {
  if (moments.length === 0) return []
  const nameOf = (dev: string) => devices.find(device => device.dev === dev)?.name ?? dev
  const others = moments.length - MAX_MOMENTS
  return [
    '',
    'Moments at which a device stalled',
    ...moments.slice(0, MAX_MOMENTS).flatMap((stall, i) => {
      const times = `${ascii.seconds(stall.from_ns, 3)} to ${ascii.seconds(stall.to_ns, 3)} s`
      const whose = stall.processes.length > 0 ? ` (${stalledInWords(stall)})` : ''
      const words = `${times}: ${nameOf(stall.device)} ${stallInWords(stall, ascii)}${whose}`
      return paragraph(`${i + 1}.`, printable(words), 4)
    }),
    ...(others > 0 ? paragraph('', `and ${counted(others, 'other')}; --json has all`, 4) : []),
  ]
}

/** Findings about the run. */
function findingLines({ findings = [] }: SummaryTrace): string[] {
  if (findings.length === 0) return []
  return [
    '',
    'What held it back',
    ...findings.flatMap(({ rank, sentence, code }) => paragraph(`${rank}.`, printable(`${sentence} (${code})`), 4)),
  ]
}

export function summaryText(trace: SummaryTrace): string {
  const bytes = trace.files.reduce((sum, file) => sum + file.bytes, 0)
  const label = trace.label && trace.label !== trace.name ? ` [${trace.label}]` : ''
  return [
    `${trace.name}${label}: ${trace.format}, ${counted(trace.files.length, 'file')}, ${size(bytes)}${trace.window ? `, only ${windowInWords(trace.window, duration)}` : ''}`,
    ...(trace.not_in_format ? paragraph('not in format', trace.not_in_format.join(', ')) : []),
    ...qualityLines(trace.quality),
    ...noteLines((trace.notes ?? []).filter(note => !SHOWN_ELSEWHERE.includes(note.kind))),
    ...counterLines(trace.counters ?? []),
    ...findingLines(trace),
    ...momentLines(trace),
    ...trace.devices.flatMap(d => ['', ...deviceLines(d, trace.quality)]),
  ].join('\n')
}
