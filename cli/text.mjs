/** Figures for people: plain ASCII, at most 80 columns, a unit beside each number. */

/** @typedef {import('../web/engine/summary').SummaryTrace} Trace */
/** @typedef {import('../web/engine/summary').SummaryDevice} Device */

const LABEL = 14
const CELL = 9
const WIDE = 13
const ACTIONS = ['Q', 'G', 'I', 'D', 'C', 'M', 'F', 'X', 'R', 'A', 'P', 'U', 'UT', 'm']
const STAGES = ['q2c', 'd2c', 'q2d', 'q2g', 'g2i', 'i2d', 'g2d']
const CLASSES = ['full_stripe', 'unit_aligned', 'inside_unit', 'straddles']

/** Three digits. @param {number} value */
const digits = value => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** @param {number} value @param {readonly string[]} units @param {number} step */
function scaled(value, units, step) {
  let rest = value
  let i = 0
  while (Math.abs(rest) >= step * 0.9995 && i < units.length - 1) {
    rest /= step
    i++
  }
  return `${i === 0 && Number.isInteger(rest) ? rest : digits(rest)} ${units[i]}`
}

/** @param {number} ns */
const time = ns => scaled(ns, ['ns', 'us', 'ms', 's'], 1000)
/** @param {number} bytes */
const size = bytes => scaled(bytes, ['B', 'KiB', 'MiB', 'GiB', 'TiB'], 1024)
/** @param {number} n */
const count = n => n.toLocaleString('en-US')
/** @param {number} n @param {string} what one of them */
const counted = (n, what) => `${count(n)} ${what}${n === 1 ? '' : 's'}`
/** @param {number} share 0..1 */
const percent = share => `${(share * 100).toFixed(1)} %`

/** Entries of a record in a given order; those that it does not name come last. @template T @param {Readonly<Record<string, T>>} record @param {readonly string[]} order @returns {[string, T][]} */
function ordered(record, order) {
  const rank = (/** @type {string} */ key) => (order.includes(key) ? order.indexOf(key) : order.length)
  return Object.entries(record).sort(([a], [b]) => rank(a) - rank(b))
}

/** @param {string} label @param {readonly (string | undefined)[]} facts */
function line(label, facts) {
  const known = facts.filter(fact => fact !== undefined)
  return known.length > 0 ? [`  ${label.padEnd(LABEL)}${known.join(', ')}`] : []
}

/** Behind the name of a figure that lost events make wrong. */
const SPOILED = '*'

/** The mark of a figure, if the device names it as spoiled. @param {Device} device @param {string} name */
const mark = ({ spoiled }, name) => (spoiled?.includes(name) ? SPOILED : '')

/** @param {string} label @param {readonly string[]} cells @param {number} [width] */
const row = (label, cells, width = CELL) => `  ${label.padEnd(LABEL - 2)}${cells.map(cell => cell.padStart(width)).join('')}`

/** @param {Device} device */
function latencies(device) {
  const known = ordered(device.latency_ns, STAGES)
  if (known.length === 0) return []
  const head = row('latency', ['n', 'min', 'mean', 'p50', 'p95', 'p99', 'max'])
  return [
    head,
    ...known.map(([name, s]) =>
      row(`  ${name}${mark(device, `latency_ns.${name}`)}`, [count(s.n), ...[s.min, s.mean, s.p50, s.p95, s.p99, s.max].map(time)]),
    ),
  ]
}

const MOST_SIZES = 5

/** @param {Device} device */
function sizes(device) {
  const { issued, completed } = device.sizes
  const rows = issued.length > 0 ? issued : completed
  const total = (/** @type {typeof rows[0]} */ r) => r.reads + r.writes + r.discards
  const all = rows.reduce((sum, r) => sum + total(r), 0)
  const most = [...rows].sort((a, b) => total(b) - total(a)).slice(0, MOST_SIZES)
  if (most.length === 0) return []
  const rest = rows.length > most.length ? [`    and ${rows.length - most.length} more sizes`] : []
  return [
    row(`${issued.length > 0 ? 'issued' : 'completed'}${mark(device, 'sizes')}`, ['reads', 'writes', 'discards', 'share'], WIDE),
    ...most.map(r => row(`  ${size(r.sectors * 512)}`, [count(r.reads), count(r.writes), count(r.discards), percent(total(r) / all)], WIDE)),
    ...rest,
  ]
}

/** @param {import('../web/engine/summary').SummaryMembers} found */
function membersOf({ members, of, counted, estimated, agreement }) {
  const extra = (/** @type {typeof counted} */ e) => `${size(e.read_bytes)} read, ${size(e.write_bytes)} written`
  return [
    ...line('members', [`${members.length} of ${of}: ${extra(counted)} more`]),
    ...line('', [`${extra(estimated)} estimated, agreement ${percent(agreement)}`]),
  ]
}

/** @param {Device} device */
function alignment(device) {
  const found = device.alignment
  if (!found) return []
  const classes = ordered(found.classes, CLASSES)
  const parity = /raid[56]/.test(found.spec)
  const all = classes.reduce((sum, [, c]) => sum + c.requests, 0)
  return [
    ...line(`alignment${mark(device, 'alignment')}`, [found.spec]),
    ...classes.map(([name, c]) =>
      row(`  ${name.replace('_', ' ')}`, [count(c.requests), all > 0 ? percent(c.requests / all) : '', size(c.bytes)], WIDE),
    ),
    ...line('stripes', [`${count(found.stripes.full)} full`, `${count(found.stripes.partial)} partial`]),
    ...line(
      found.rmw.told ? 'rmw, by md' : 'rmw estimate',
      parity ? [`${count(found.rmw.reads)} reads`, `${count(found.rmw.writes)} writes`, `${size(found.rmw.extra_bytes)} more`] : [],
    ),
    ...(parity && found.members ? membersOf(found.members) : []),
    ...line('off 4 KiB', [counted(found.misaligned_4k, 'request')]),
  ]
}

/** @param {Device} device */
function eventLines(device) {
  const { events } = device
  const cells = ordered(events, ACTIONS).flatMap(([action, n]) => (n > 0 ? [`${action} ${count(n)}`] : []))
  const lines = ['']
  for (const cell of cells) {
    const last = lines.length - 1
    if ((lines[last] ?? '').length + cell.length + 2 > 60) lines.push(cell)
    else lines[last] = lines[last] ? `${lines[last]}  ${cell}` : cell
  }
  return lines.map((text, i) => `  ${(i === 0 ? `events${mark(device, 'events')}` : '').padEnd(LABEL)}${text}`)
}

/** @param {Device} d */
function device(d) {
  const { bytes, throughput, depth, waiting, starved, seek, interleaving, merges, flush } = d
  /** @param {string} label @param {string} name */
  const marked = (label, name) => `${label}${mark(d, name)}`
  return [
    `device ${d.dev} (${d.role}), first Q to last C ${time(d.span_ns)}`,
    ...eventLines(d),
    ...line(marked('completed', 'bytes'), [
      `${size(bytes.read)} read`,
      `${size(bytes.write)} written`,
      bytes.discard > 0 ? `${size(bytes.discard)} discarded` : undefined,
    ]),
    ...line(marked('throughput', 'throughput'), [
      `${size(throughput.read_bps)}/s read`,
      `${size(throughput.write_bps)}/s written`,
      `${throughput.iops.toFixed(1)} IOPS`,
    ]),
    ...line(
      marked('queue depth', 'depth'),
      depth ? [`mean ${depth.mean.toFixed(2)}`, `p50 ${depth.p50}`, `p95 ${depth.p95}`, `max ${depth.max}`] : [],
    ),
    ...line(marked('waiting', 'waiting'), waiting ? [`mean ${waiting.mean.toFixed(2)}`, `max ${waiting.max}`] : []),
    ...line(
      marked('starved', 'starved'),
      starved ? [percent(starved.share), time(starved.total_ns), `longest ${time(starved.longest_ns)}`, counted(starved.intervals, 'interval')] : [],
    ),
    ...latencies(d),
    ...sizes(d),
    ...line(
      marked('seeks', 'seek'),
      seek.issued
        ? [
            `${percent(seek.issued.sequential_share)} sequential`,
            `median ${count(seek.issued.median_abs)} sectors`,
            `${seek.issued.per_second_64k.toFixed(1)}/s above 64 KiB`,
          ]
        : [],
    ),
    ...line(
      marked('interleaving', 'interleaving'),
      interleaving ? [`${percent(interleaving.switch_share)} of issues change process`, `mean run ${interleaving.mean_run.toFixed(1)}`] : [],
    ),
    ...line(marked('merges', 'merges'), [
      merges.back === undefined ? undefined : `${count(merges.back)} back`,
      merges.front === undefined ? undefined : `${count(merges.front)} front`,
      merges.q_per_d === undefined ? undefined : `${merges.q_per_d.toFixed(2)} Q per D`,
    ]),
    ...line(
      marked('flush', 'flush'),
      flush
        ? [`${count(flush.preflush)} preflush`, `${count(flush.flush)} flush`, `${count(flush.fua)} FUA`, `${percent(flush.busy_share)} of the time`]
        : [],
    ),
    ...alignment(d),
    ...(d.spoiled ? [`  ${SPOILED} spoiled: events of ${d.dev} were lost, see above`] : []),
  ]
}

/** Words in lines of at most 78 columns, set in below the first. @param {string} label @param {string} text */
function paragraph(label, text) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1] ?? ''
    if (last && last.length + word.length + LABEL + 3 > 78) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines.map((line, i) => `  ${(i === 0 ? label : '').padEnd(LABEL)}${line}`)
}

const MOST_HOLES = 8

/** When events were lost. @param {Trace['quality']['holes']} holes */
function holeLines(holes) {
  const seconds = (/** @type {number} */ t) => (t / 1e9).toFixed(6)
  const said = holes.slice(0, MOST_HOLES).map(h => {
    const what = h.lost === undefined ? `silent, ${counted(h.strays ?? 0, 'stray')}` : `${count(h.lost)} lost`
    return `${h.device} cpu ${h.cpu}, ${seconds(h.from)} to ${seconds(h.to)} s: ${what}`
  })
  const more = holes.length > MOST_HOLES ? [`and ${counted(holes.length - MOST_HOLES, 'more hole')}`] : []
  return [...said, ...more].flatMap((text, i) => line(i === 0 ? 'lost' : '', [text]))
}

/** @param {Trace['quality']} quality */
function qualityLines({ lost_events, truncated_bytes, unknown_records, unmatched, holes, warnings }) {
  const facts = [
    lost_events > 0 ? counted(lost_events, 'lost event') : undefined,
    truncated_bytes > 0 ? `${counted(truncated_bytes, 'byte')} cut off` : undefined,
    unknown_records > 0 ? counted(unknown_records, 'unknown record') : undefined,
    unmatched.Q + unmatched.D + unmatched.C > 0 ? `unmatched Q ${unmatched.Q} D ${unmatched.D} C ${unmatched.C}` : undefined,
  ]
  return [...line('quality', facts), ...holeLines(holes), ...warnings.flatMap(({ code, message }) => paragraph('warning', `${code}: ${message}`))]
}

const NOTE_UNITS = /** @type {Readonly<Record<string, (n: number) => string>>} */ ({
  ns: time,
  bytes: size,
  'bytes/s': n => `${size(n)}/s`,
  '1/s': n => `${digits(n)}/s`,
  sectors: n => counted(n, 'sector'),
  sector: n => count(n),
  KiB: n => `${count(n)} KiB`,
  events: n => count(n),
})

/** @param {import('../web/engine/protocol').Fact} fact @param {string | undefined} before what the fact before was about */
function factText({ of, name, value, unit }, before) {
  const words = typeof value === 'number' ? (NOTE_UNITS[unit ?? ''] ?? String)(value) : value
  return `${of === undefined || of === before ? '' : `${of}: `}${name} ${words}`
}

/** Printable ASCII: texts of others may hold anything. @param {string} text */
const plain = text => text.replace(/[^\x20-\x7e]/g, '?')

/** Facts of a note that are printed; all of them stand in --json. */
const MOST_FACTS = 12

/** @param {readonly import('../web/engine/protocol').TraceNote[]} notes */
const noteLines = notes =>
  notes.flatMap(({ file, what, facts }) => {
    const rest = facts.length > MOST_FACTS ? [`and ${counted(facts.length - MOST_FACTS, 'more fact')}`] : []
    const words = [...facts.slice(0, MOST_FACTS).map((fact, i) => factText(fact, facts[i - 1]?.of)), ...rest].join('; ')
    const name = file.slice(file.lastIndexOf('/') + 1)
    return paragraph('note', plain(`${name}, ${what}${words ? `: ${words}` : ''}`))
  })

/** @param {Trace} trace */
export function summaryText(trace) {
  const bytes = trace.files.reduce((sum, file) => sum + file.bytes, 0)
  const label = trace.label && trace.label !== trace.name ? ` [${trace.label}]` : ''
  return [
    `${trace.name}${label}: ${trace.format}, ${counted(trace.files.length, 'file')}, ${size(bytes)}`,
    ...(trace.not_in_format ? paragraph('not in format', trace.not_in_format.join(', ')) : []),
    ...qualityLines(trace.quality),
    ...noteLines(trace.notes ?? []),
    ...trace.devices.flatMap(d => ['', ...device(d)]),
  ].join('\n')
}
