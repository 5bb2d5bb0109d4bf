/** Reads WebM files back: the elements of EBML (RFC 8794) that a film has, and checks their lengths. */

interface EbmlElement {
  readonly id: number
  readonly offset: number
  readonly content: Uint8Array
}

/** Ids of elements that contain other elements: they are visited, too. */
const MASTERS = new Set([
  0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1c53bb6b, 0xbb, 0xb7, 0x1f43b675,
])

function readVint(
  bytes: Uint8Array,
  offset: number,
  keepMarker: boolean,
): { readonly value: number; readonly width: number } {
  const first = bytes[offset] ?? 0
  const width = Math.clz32(first) - 23
  if (width > 8) throw new Error(`no number at ${offset}`)
  let value = keepMarker ? first : first & (0xff >> width)
  for (let i = 1; i < width; i++) value = value * 256 + (bytes[offset + i] ?? 0)
  return { value, width }
}

function* elements(bytes: Uint8Array): Generator<EbmlElement> {
  for (let offset = 0; offset < bytes.length; ) {
    const id = readVint(bytes, offset, true)
    const size = readVint(bytes, offset + id.width, false)
    const from = offset + id.width + size.width
    if (from + size.value > bytes.length)
      throw new Error(`element ${id.value.toString(16)} at ${offset} ends behind the end`)
    yield { id: id.value, offset, content: bytes.subarray(from, from + size.value) }
    offset = from + size.value
  }
}

const uint = (content: Uint8Array): number => content.reduce((sum, byte) => sum * 256 + byte, 0)

export interface WebmFacts {
  readonly docType: string
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly durationMs: number
  /** Time of each frame, ms. */
  readonly frames: readonly number[]
  readonly keyFrames: readonly number[]
  /** Times of the cues whose place is that of a cluster with the same time. */
  readonly cues: readonly number[]
}

export function readWebm(bytes: Uint8Array): WebmFacts {
  const found = new Map<number, Uint8Array>()
  const frames: number[] = []
  const keyFrames: number[] = []
  const clusters = new Map<number, number>()
  const cues: (readonly [time: number, at: number])[] = []
  const visit = (content: Uint8Array, parent: number) => {
    let time = 0
    for (const element of elements(content)) {
      const { id } = element
      if (id === 0xe7) time = uint(element.content)
      if (parent === 0x18538067 && id === 0x1f43b675) {
        const [first] = elements(element.content)
        clusters.set(element.offset, first?.id === 0xe7 ? uint(first.content) : Number.NaN)
      }
      if (id === 0xbb) {
        const [when, place] = elements(element.content)
        const positions = place ? [...elements(place.content)] : []
        cues.push([
          uint(when?.content ?? new Uint8Array()),
          uint(positions.find(p => p.id === 0xf1)?.content ?? new Uint8Array()),
        ])
      }
      if (id === 0xa3) {
        const block = element.content
        const frameTime = time + (((block[1] ?? 0) << 24) >> 16) + (block[2] ?? 0)
        frames.push(frameTime)
        if (((block[3] ?? 0) & 0x80) !== 0) keyFrames.push(frameTime)
      }
      found.set(id, element.content)
      if (MASTERS.has(id)) visit(element.content, id)
    }
  }
  visit(bytes, 0)
  const part = (id: number) => found.get(id) ?? new Uint8Array()
  const text = (id: number) => new TextDecoder().decode(part(id))
  const duration = part(0x4489)
  return {
    docType: text(0x4282),
    codec: text(0x86),
    width: uint(part(0xb0)),
    height: uint(part(0xba)),
    durationMs: new DataView(duration.buffer, duration.byteOffset).getFloat64(0),
    frames,
    keyFrames,
    cues: cues.flatMap(([time, position]) => (clusters.get(position) === time ? [time] : [])),
  }
}
