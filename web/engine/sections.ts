/**
 * A trace read by several workers, in sections of its files. The worker that opened the trace finds the cuts, reads the first section, and goes on
 * section by section: it takes over what a helper has read, or reads what none has begun. A section that does not begin as the one before it ends
 * is read again. Runs in a worker; the engine's module must be set up.
 */
import { createFeeding } from './feed'
import { CutFinder, cutExcerptBytes, Trace } from './generated/seekscope.js'
import type { Cuts, TraceFile, TraceSection } from './protocol'
import { AHEAD, strideOf } from './turns'

/** Where the files are cut; undefined where one worker is as fast. */
export const findCuts = async (parts: readonly TraceFile[]): Promise<Cuts | undefined> => {
  const finder = new CutFinder(Float64Array.from(parts, part => part.blob.size))
  try {
    for (let wanted = finder.wanted(); wanted; wanted = finder.wanted()) {
      const [file = 0, at = 0] = wanted
      const bytes = await parts[file]?.blob.slice(at, at + cutExcerptBytes()).arrayBuffer()
      finder.take(file, at, new Uint8Array(bytes ?? []))
    }
    const cuts: Cuts | null = finder.cuts()
    return cuts ?? undefined
  } catch {
    // What cannot be read is reported when it is in turn.
    return undefined
  } finally {
    finder.free()
  }
}

const sectionOf = ({ origin, sections }: Cuts, index: number): TraceSection | undefined => {
  const places = sections[index]
  const next = sections[index + 1]
  return places && { index, origin, places, ...(next && { next }) }
}

/** Bytes of all files in a section. */
const bytesOf = (parts: readonly TraceFile[], { places, next }: TraceSection): number =>
  parts.reduce((sum, { blob }, part) => sum + (next?.begin[part] ?? blob.size) - (places.begin[part] ?? 0), 0)

/** Reads a section for another worker; undefined when it cannot be joined. `advanced` is called with the bytes read so far. */
export const readSection = async (
  parts: readonly TraceFile[],
  { origin, places, next }: TraceSection,
  yieldToMessages: () => Promise<void>,
  advanced: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const names = parts.map(({ name, blob }) => ({ name, size: blob.size }))
  const trace = new Trace(JSON.stringify({ name: '', label: '', parts: names, origin }))
  try {
    await createFeeding(parts, trace, yieldToMessages, { from: places.before, ends: () => places.begin }).run()
    if (!trace.beginSection(Float64Array.from(places.begin))) return undefined
    const feeding = createFeeding(
      parts,
      trace,
      async () => {
        advanced(feeding.taken())
        await yieldToMessages()
      },
      { from: places.begin, ends: () => next?.begin },
    )
    await feeding.run()
    return trace.takeSection(next?.time) as Uint8Array<ArrayBuffer> | undefined
  } finally {
    trace.free()
  }
}

/** A section that a helper reads. */
interface HelpedSection {
  readonly helper: number
  bytes: number
  readonly section: Promise<Uint8Array | undefined>
  readonly settle: (section: Uint8Array | undefined) => void
}

const helpedBy = (helper: number): HelpedSection => {
  let settle: HelpedSection['settle'] = () => undefined
  const section = new Promise<Uint8Array | undefined>(resolve => {
    settle = resolve
  })
  return { helper, bytes: 0, section, settle }
}

export interface SectionedReading {
  /** Bytes of all files read so far, by all workers. */
  taken(): number
  /** Ends when the trace has all events. Rejects with an EngineError. */
  run(): Promise<void>
  advanced(index: number, bytes: number): void
  arrived(index: number, section: Uint8Array | undefined): void
}

/** How long reading waits for the cuts, which are read from the disk, ms: without them the helpers have nothing to do. */
const CUTS_MS = 500

/** Reads a trace; `want` gives a helper, one of `workers - 1`, a section that it can read meanwhile. */
export const createReading = (
  parts: readonly TraceFile[],
  trace: Trace,
  workers: number,
  want: (helper: number, section: TraceSection) => void,
  yieldToMessages: () => Promise<void>,
): SectionedReading => {
  const idle = new Set(Array.from({ length: workers - 1 }, (_, helper) => helper))
  const helped = new Map<number, HelpedSection>()
  let cuts: Cuts | undefined
  let feeding: ReturnType<typeof createFeeding> | undefined
  let done = 0
  const stride = strideOf(workers)
  /** The section in turn, and the next for a helper. */
  let [current, next] = [-1, 0]

  const assign = () => {
    for (const helper of idle) {
      const section = cuts && next <= current + AHEAD * workers ? sectionOf(cuts, next) : undefined
      if (!section) return
      idle.delete(helper)
      helped.set(next, helpedBy(helper))
      next += stride
      want(helper, section)
    }
  }
  const feed = async (from?: readonly number[]) => {
    const ends = () => cuts?.sections[current + 1]?.begin
    feeding = createFeeding(parts, trace, yieldToMessages, { ...(from && { from }), ends })
    await feeding.run()
    done += feeding.taken()
    feeding = undefined
  }
  const look = async () => {
    const found = await findCuts(parts)
    // What was read meanwhile is not read again.
    const offsets = feeding?.offsets() ?? []
    const sections = found?.sections.filter(({ begin }) => offsets.every((at, part) => at <= (begin[part] ?? 0)))
    if (!found || !sections?.length) return
    cuts = { ...found, sections }
    assign()
  }
  return {
    taken: () => [...helped.values()].reduce((sum, { bytes }) => sum + bytes, done + (feeding?.taken() ?? 0)),
    async run() {
      if (workers > 1) await Promise.race([look(), new Promise(go => setTimeout(go, CUTS_MS))])
      await feed()
      for (current = 0; cuts && current < cuts.sections.length; current++) {
        // What no helper has begun is read here.
        if (next === current) next += stride
        assign()
        const other = helped.get(current)
        const section = await other?.section
        helped.delete(current)
        if (section && trace.join(section)) {
          done += other?.bytes ?? 0
          continue
        }
        trace.resume()
        await feed(cuts.sections[current]?.begin)
      }
    },
    advanced(index, bytes) {
      const other = helped.get(index)
      if (other) other.bytes = bytes
    },
    arrived(index, section) {
      const other = helped.get(index)
      const read = cuts && sectionOf(cuts, index)
      if (!other || !read) return
      idle.add(other.helper)
      other.bytes = bytesOf(parts, read)
      other.settle(section)
      assign()
    },
  }
}
