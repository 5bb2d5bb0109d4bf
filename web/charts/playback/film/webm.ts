/**
 * Writes WebM with one track of pictures: EBML elements (RFC 8794, RFC 9559), each an id, the length of what
 * follows, and that. The head is made last, because it has the places of the clusters; in a file it is in front of
 * them.
 */

type FrameBytes = Uint8Array<ArrayBuffer>

export interface WebmTrack {
  /** `V_VP9`, `V_VP8`. */
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
}

const ID = {
  ebml: 0x1a45dfa3,
  version: 0x4286,
  readVersion: 0x42f7,
  longestId: 0x42f2,
  longestSize: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  lacing: 0x9c,
  codec: 0x86,
  frameLength: 0x23e383,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cuePositions: 0xb7,
  cueTrack: 0xf7,
  cuePosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const

const TRACK = 1
const VIDEO = 1
const KEY_FRAME = 0x80
/** ns per unit of timestamps: ms. */
const SCALE = 1_000_000
const WRITER = 'Seekscope'

/** Bytes of a number, big-endian and without leading zeros. */
function digits(value: number): readonly number[] {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

/** Lengths are always of 8 bytes: the first has only the marker of that width. */
const lengthOf = (length: number): readonly number[] => [
  1,
  ...Array.from({ length: 7 }, (_, i) => Math.floor(length / 256 ** (6 - i)) % 256),
]

const element = (id: number, content: readonly number[]): readonly number[] => [
  ...digits(id),
  ...lengthOf(content.length),
  ...content,
]
const uint = (id: number, value: number) => element(id, digits(value))
/** A number of a fixed width, so that the size of the head does not depend on its values. */
const wide = (id: number, value: number) =>
  element(
    id,
    lengthOf(value).map((byte, i) => (i === 0 ? 0 : byte)),
  )
const text = (id: number, value: string) => element(id, [...new TextEncoder().encode(value)])

function float(id: number, value: number): readonly number[] {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value)
  return element(id, [...bytes])
}

interface ClusterPlace {
  readonly ms: number
  readonly offset: number
}

export interface WebmWriter {
  /** Takes the next frame. Each key frame begins a cluster. */
  add(frame: FrameBytes, key: boolean): void
  readonly frames: number
  /** The file; nothing can be added afterwards. */
  finish(): Blob
}

export function createWebm(track: WebmTrack): WebmWriter {
  /** Complete clusters; the browser may keep a blob outside of memory. */
  const clusters: Blob[] = []
  const places: ClusterPlace[] = []
  let bytes = 0
  let frames = 0
  let open: { readonly ms: number; readonly parts: FrameBytes[]; size: number } | undefined
  const msOf = (frame: number) => Math.round((frame * 1000) / track.framesPerSecond)

  const close = () => {
    if (!open) return
    const head = [...digits(ID.cluster), ...lengthOf(open.size)]
    places.push({ ms: open.ms, offset: bytes })
    clusters.push(new Blob([new Uint8Array(head), ...open.parts]))
    bytes += head.length + open.size
    open = undefined
  }
  const put = (part: FrameBytes) => {
    if (!open) return
    open.parts.push(part)
    open.size += part.length
  }

  return {
    get frames() {
      return frames
    },
    add(frame, key) {
      const ms = msOf(frames)
      if (key || !open) {
        close()
        open = { ms, parts: [], size: 0 }
        put(new Uint8Array(uint(ID.timestamp, ms)))
      }
      const since = ms - open.ms
      const header = [0x80 | TRACK, since >> 8, since & 0xff, key ? KEY_FRAME : 0]
      put(new Uint8Array([...digits(ID.simpleBlock), ...lengthOf(header.length + frame.length), ...header]))
      put(frame)
      frames += 1
    },
    finish() {
      close()
      const info = element(ID.info, [
        ...uint(ID.timestampScale, SCALE),
        ...float(ID.duration, (frames * 1000) / track.framesPerSecond),
        ...text(ID.muxingApp, WRITER),
        ...text(ID.writingApp, WRITER),
      ])
      const tracks = element(
        ID.tracks,
        element(ID.trackEntry, [
          ...uint(ID.trackNumber, TRACK),
          ...uint(ID.trackUid, TRACK),
          ...uint(ID.trackType, VIDEO),
          ...uint(ID.lacing, 0),
          ...text(ID.codec, track.codec),
          ...uint(ID.frameLength, Math.round(1e9 / track.framesPerSecond)),
          ...element(ID.video, [...uint(ID.pixelWidth, track.width), ...uint(ID.pixelHeight, track.height)]),
        ]),
      )
      const cuesAt = (begin: number) =>
        element(
          ID.cues,
          places.flatMap(({ ms, offset }) =>
            element(ID.cuePoint, [
              ...wide(ID.cueTime, ms),
              ...element(ID.cuePositions, [...uint(ID.cueTrack, TRACK), ...wide(ID.cuePosition, begin + offset)]),
            ]),
          ),
        )
      const before = info.length + tracks.length + cuesAt(0).length
      const inside = [...info, ...tracks, ...cuesAt(before)]
      const head = [
        ...element(ID.ebml, [
          ...uint(ID.version, 1),
          ...uint(ID.readVersion, 1),
          ...uint(ID.longestId, 4),
          ...uint(ID.longestSize, 8),
          ...text(ID.docType, 'webm'),
          ...uint(ID.docTypeVersion, 4),
          ...uint(ID.docTypeReadVersion, 2),
        ]),
        ...digits(ID.segment),
        ...lengthOf(inside.length + bytes),
        ...inside,
      ]
      return new Blob([new Uint8Array(head), ...clusters], { type: 'video/webm' })
    },
  }
}
