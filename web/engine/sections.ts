/**
 * A trace read by several workers, each a section of its files. The worker that opened the trace finds the cuts, reads the first section and takes
 * over the others; a section that does not begin as the one before it ends is read again. Runs in a worker; the engine's module must be set up.
 */
import { createFeeding } from './feed'
import { CutFinder, cutExcerptBytes, Trace } from './generated/seekscope.js'
import type { Cuts, TraceFile } from './protocol'

/** Where the files are cut for so many workers; undefined where one is as fast. */
export const findCuts = async (parts: readonly TraceFile[], workers: number): Promise<Cuts | undefined> => {
  const finder = new CutFinder(
    Float64Array.from(parts, part => part.blob.size),
    workers,
  )
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

/** Where a section ends; absent for the last one. */
const endsOf = (cuts: Cuts, index: number) => cuts.sections[index + 1]?.begin

/** Reads a section for another worker; undefined when it cannot be joined. `advanced` is called with the bytes read so far. */
export const readSection = async (
  parts: readonly TraceFile[],
  cuts: Cuts,
  index: number,
  yieldToMessages: () => Promise<void>,
  advanced: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const places = cuts.sections[index]
  if (!places) return undefined
  const names = parts.map(({ name, blob }) => ({ name, size: blob.size }))
  const trace = new Trace(JSON.stringify({ name: '', label: '', parts: names, origin: cuts.origin }))
  await createFeeding(parts, trace, yieldToMessages, { from: places.before, ends: () => places.begin }).run()
  if (!trace.beginSection(Float64Array.from(places.begin))) return undefined
  const ends = endsOf(cuts, index)
  const feeding = createFeeding(
    parts,
    trace,
    async () => {
      advanced(feeding.taken())
      await yieldToMessages()
    },
    { from: places.begin, ends: () => ends },
  )
  await feeding.run()
  return trace.takeSection() as Uint8Array<ArrayBuffer> | undefined
}

/** Sections that other workers read. */
interface AwaitedSection {
  bytes: number
  readonly section: Promise<Uint8Array | undefined>
  readonly settle: (section: Uint8Array | undefined) => void
}

const awaited = (): AwaitedSection => {
  let settle: AwaitedSection['settle'] = () => undefined
  const section = new Promise<Uint8Array | undefined>(resolve => {
    settle = resolve
  })
  return { bytes: 0, section, settle }
}

export interface SectionedReading {
  /** Bytes of all files read so far, by all workers. */
  taken(): number
  /** Ends when the trace has all events. Rejects with an EngineError. */
  run(): Promise<void>
  advanced(index: number, bytes: number): void
  arrived(index: number, section: Uint8Array | undefined): void
}

/** Reads a trace; `announce` is called when other workers can read sections of it. */
export const createReading = (
  parts: readonly TraceFile[],
  trace: Trace,
  workers: number,
  announce: (cuts: Cuts) => void,
  yieldToMessages: () => Promise<void>,
): SectionedReading => {
  let cuts: Cuts | undefined
  let others: readonly AwaitedSection[] = []
  let done = 0
  const feedOn = async (index: number) => {
    const ends = () => cuts && (index < 0 ? cuts.sections[0]?.begin : endsOf(cuts, index))
    feeding = createFeeding(parts, trace, yieldToMessages, { ...(index >= 0 && { from: cuts?.sections[index]?.begin ?? [] }), ends })
    await feeding.run()
    done += feeding.taken()
    feeding = undefined
  }
  let feeding: ReturnType<typeof createFeeding> | undefined
  const look = async () => {
    const found = await findCuts(parts, workers)
    const first = found?.sections[0]?.begin
    // It is being read meanwhile.
    if (!found || !first || !feeding || feeding.offsets().some((at, part) => at > (first[part] ?? 0))) return
    others = found.sections.map(awaited)
    cuts = found
    announce(found)
  }
  return {
    taken: () => done + (feeding?.taken() ?? 0) + others.reduce((sum, { bytes }) => sum + bytes, 0),
    async run() {
      if (workers > 1) void look()
      await feedOn(-1)
      for (const [index, other] of others.entries()) {
        const section = await other.section
        if (section && trace.join(section)) continue
        other.bytes = 0
        trace.resume()
        await feedOn(index)
      }
    },
    advanced(index, bytes) {
      const other = others[index]
      if (other) other.bytes = bytes
    },
    arrived: (index, section) => others[index]?.settle(section),
  }
}
