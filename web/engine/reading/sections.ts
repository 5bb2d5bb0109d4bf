/**
 * Reads a trace with several workers, in sections of its files. Runs in a worker; the engine's module must be set up.
 *
 * The worker that opened the trace finds the cuts and reads the first section. Then it proceeds section by section:
 * it joins what a helper has read, or reads a section that no helper has begun. Joining checks that a section begins
 * in the state in which the previous one ended; if not, it is read again here. So helpers can only save time: the
 * result is that of one worker.
 */

import { CutFinder, cutExcerptBytes, Trace } from '../generated/seekscope.js'
import type { Cuts, TraceFile, TraceSection } from '../protocol'
import { createFeeding } from './feed'
import { AHEAD, excerptsOf, nextHelped } from './turns'

/**
 * Finds where the files are cut. `found` gets the cuts, one or more at a time; it returns false to end the search. A
 * trace that is large enough for cuts waits for the rest of the engine.
 */
const findCuts = async (
  parts: readonly TraceFile[],
  rest: () => Promise<void>,
  found: (cuts: Cuts) => boolean,
): Promise<void> => {
  const finder = new CutFinder(Float64Array.from(parts, part => part.blob.size))
  try {
    let sections = 0
    for (let places = finder.wanted(); ; places = finder.wanted()) {
      const cuts: Cuts | null = finder.cuts(sections)
      sections += cuts?.sections.length ?? 0
      if ((cuts && !found(cuts)) || places.length === 0) return
      await rest()
      const excerpts = excerptsOf(places).map(async ([file, offset]) => {
        const bytes = await parts[file]?.blob.slice(offset, offset + cutExcerptBytes()).arrayBuffer()
        return () => finder.take(file, offset, new Uint8Array(bytes ?? []))
      })
      for (const take of await Promise.all(excerpts)) take()
    }
  } catch {
    // A read error is ignored here; the section that has these bytes reports it. Without the rest of the
    // engine, one worker reads all.
  } finally {
    finder.free()
  }
}

const sectionOf = ({ origin, sections }: Cuts, index: number): TraceSection | undefined => {
  const places = sections[index]
  const next = sections[index + 1]
  return places && { index, origin, places, ...(next && { next }) }
}

const bytesOf = (parts: readonly TraceFile[], { places, next }: TraceSection): number =>
  parts.reduce((sum, { blob }, part) => sum + (next?.begin[part] ?? blob.size) - (places.begin[part] ?? 0), 0)

/**
 * Reads a section for another worker; `undefined` if it cannot be joined. `advanced` gets the number of bytes read so
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
  /** Number of bytes that all workers have read. */
  taken(): number
  /** Resolves when the trace has all events. Rejects with an EngineError. */
  run(): Promise<void>
  advanced(index: number, bytes: number): void
  arrived(index: number, section: Uint8Array | undefined): void
}

/** Time for which reading waits for the first cuts, ms: without them, helpers have nothing to do. */
const CUTS_MS = 500

/**
 * Reads a trace; `want` asks a helper, one of `workers - 1`, to read a section. `rest` waits for the rest of the engine.
 */
export const createReading = (
  parts: readonly TraceFile[],
  trace: Trace,
  workers: number,
  rest: () => Promise<void>,
  want: (helper: number, section: TraceSection) => void,
  yieldToMessages: () => Promise<void>,
): SectionedReading => {
  const idle = new Set(Array.from({ length: workers - 1 }, (_, helper) => helper))
  const helped = new Map<number, HelpedSection>()
  /** Cuts found so far; `searched`: there are no others. */
  let cuts: Cuts | undefined
  let [searched, ended] = [false, false]
  let feeding: ReturnType<typeof createFeeding> | undefined
  let joinedBytes = 0
  /** Offset in each file up to which this worker has read. */
  let offsets: readonly number[] = []
  /** The section that is read or joined now, and the next one for a helper. */
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
    joinedBytes += feeding.taken()
    feeding = undefined
  }
  const found = ({ origin, sections }: Cuts): boolean => {
    // Cuts that this worker has already passed are of no use.
    const ahead = sections.filter(({ begin }) => offsets.every((offset, part) => offset <= (begin[part] ?? 0)))
    if (ended) return false
    if (ahead.length > 0) cuts = { origin, sections: [...(cuts?.sections ?? []), ...ahead] }
    assign()
    return true
  }
  /** Searches cuts. Resolves once a helper has work, or no cut was found. */
  const look = () =>
    new Promise<void>(resolve => {
      const goOn = (cuts: Cuts) => {
        const more = found(cuts)
        if (helped.size > 0) resolve()
        return more
      }
      void findCuts(parts, rest, goOn).then(() => {
        searched = true
        if (!ended) assign()
        resolve()
      })
    })
  return {
    taken: () => [...helped.values()].reduce((sum, { bytes }) => sum + bytes, joinedBytes + (feeding?.taken() ?? 0)),
    async run() {
      if (workers > 1) await Promise.race([look(), new Promise(go => setTimeout(go, CUTS_MS))])
      await feed()
      for (current = 0; cuts && current < cuts.sections.length; current++) {
        // No helper has begun this section: it is read here.
        if (next === current) next = nextHelped(next, workers)
        assign()
        const help = helped.get(current)
        const section = await help?.section
        helped.delete(current)
        if (section && trace.join(section)) {
          joinedBytes += help?.bytes ?? 0
          continue
        }
        trace.resume()
        await feed(cuts.sections[current]?.begin)
      }
      ended = true
    },
    advanced(index, bytes) {
      const help = helped.get(index)
      if (help) help.bytes = bytes
    },
    arrived(index, section) {
      const help = helped.get(index)
      const read = cuts && sectionOf(cuts, index)
      if (!help || !read) return
      idle.add(help.helper)
      help.bytes = bytesOf(parts, read)
      help.settle(section)
      assign()
    },
  }
}
