import { expect, it } from 'vitest'
import { readWebm } from '../../../../tests/webm'
import { createWebm } from './webm'

it('what was written is read back: every frame at its time, and a cue at each key frame', async () => {
  const file = createWebm({ codec: 'V_VP9', width: 1280, height: 720, framesPerSecond: 30 })
  for (let i = 0; i < 150; i++) file.add(new Uint8Array(100 + i * 7).fill(i), i % 60 === 0)
  expect(file.frames).toBe(150)
  const blob = file.finish()
  expect(blob.type).toBe('video/webm')
  const facts = readWebm(new Uint8Array(await blob.arrayBuffer()))
  expect(facts).toEqual({
    docType: 'webm',
    codec: 'V_VP9',
    width: 1280,
    height: 720,
    durationMs: 5000,
    frames: Array.from({ length: 150 }, (_, i) => Math.round((i * 1000) / 30)),
    keyFrames: [0, 2000, 4000],
    cues: [0, 2000, 4000],
  })
})

it('a file that is cut is noticed by the reader', async () => {
  const file = createWebm({ codec: 'V_VP8', width: 16, height: 16, framesPerSecond: 24 })
  file.add(new Uint8Array(1000), true)
  const bytes = new Uint8Array(await file.finish().arrayBuffer())
  expect(() => readWebm(bytes.subarray(0, bytes.length - 1))).toThrow(/behind the end/)
})
