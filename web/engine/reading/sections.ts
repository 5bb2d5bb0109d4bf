/**
 * A trace read by several workers, in sections of its files. The worker that opened the trace finds the cuts, reads
 * the first section, and goes on section by section: it takes over what a helper has read, or reads what none has
 * begun. A section that does not begin as the one before it ends is read again. Runs in a worker; the engine's
 * module must be set up.
 */

import { CutFinder, cutExcerptBytes, Trace } from '../generated/seekscope.js'
import type { Cuts, TraceFile, TraceSection } from '../protocol'
import { createFeeding } from './feed'
import { AHEAD, excerptsOf, nextHelped } from './turns'

/**
 * Finds where the files are cut: `found` gets the cuts, one or more at a time, and ends the search by returning false.
 */
const findCuts = async (parts: readonly TraceFile[], found: (cuts: Cuts) => boolean): Promise<void> => {
  const finder = new CutFinder(Float64Array.from(parts, part => part.blob.size))
  try {
    let sections = 0
    for (let wanted = finder.wanted(); ; wanted = finder.wanted()) {
      const cuts: Cuts | null = finder.cuts(sections)
      sections += cuts?.sections.length ?? 0
      if ((cuts && !found(cuts)) || wanted.length === 0) return
      const excerpts = excerptsOf(wanted).map(async ([file, at]) => {
        const bytes = await parts[file]?.blob.slice(at, at + cutExcerptBytes()).arrayBuffer()
        return () => finder.take(file, at, new Uint8Array(bytes ?? []))
      })
      for (const take of await Promise.all(excerpts)) take()
    }
  } catch {
    // What cannot be read is reported when it is in turn.
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

/**
 * Reads a section for another worker; undefined when it cannot be joined. `advanced` is called with the bytes read so
 * far.
 */
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

/** How long reading waits for the first cuts, ms: without them the helpers have nothing to do. */
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
  /** Found so far; `searched` when these are all. */
  let cuts: Cuts | undefined
  let [searched, ended] = [false, false]
  let feeding: ReturnType<typeof createFeeding> | undefined
  let done = 0
  /** Bytes of each file that were fed here, the last time. */
  let offsets: readonly number[] = []
  /** The section in turn, and the next for a helper. */
  let [current, next] = [-1, 0]

  const assign = () => {
    for (const helper of idle) {
      const section = cuts && next <= current + AHEAD * workers ? sectionOf(cuts, next) : undefined
      if (!section || !(section.next || searched)) return
      idle.delete(helper)
      helped.set(next, helpedBy(helper))
      next = nextHelped(next, workers)
      want(helper, section)
    }
  }
  const feed = async (from?: readonly number[]) => {
    const ends = () => cuts?.sections[current + 1]?.begin
    feeding = createFeeding(parts, trace, yieldToMessages, { ...(from && { from }), ends })
    offsets = feeding.offsets()
    await feeding.run()
    done += feeding.taken()
    feeding = undefined
  }
  const found = ({ origin, sections }: Cuts): boolean => {
    // What was read meanwhile is not read again.
    const ahead = sections.filter(({ begin }) => offsets.every((at, part) => at <= (begin[part] ?? 0)))
    if (ended) return false
    if (ahead.length > 0) cuts = { origin, sections: [...(cuts?.sections ?? []), ...ahead] }
    assign()
    return true
  }
  /** Resolves once a helper has something to do, or never will. */
  const look = () =>
    new Promise<void>(resolve => {
      const goOn = (cuts: Cuts) => {
        const more = found(cuts)
        if (helped.size > 0) resolve()
        return more
      }
      void findCuts(parts, goOn).then(() => {
        searched = true
        if (!ended) assign()
        resolve()
      })
    })
  return {
    taken: () => [...helped.values()].reduce((sum, { bytes }) => sum + bytes, done + (feeding?.taken() ?? 0)),
    async run() {
      if (workers > 1) await Promise.race([look(), new Promise(go => setTimeout(go, CUTS_MS))])
      await feed()
      for (current = 0; cuts && current < cuts.sections.length; current++) {
        // What no helper has begun is read here.
        if (next === current) next = nextHelped(next, workers)
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
      ended = true
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
