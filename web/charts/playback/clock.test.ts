import { describe, expect, it } from 'vitest'
import { ns } from '../../lib/units'
import {
  advance,
  momentAt,
  nextSpeed,
  numberOf,
  SPEEDS,
  speedFor,
  speedWords,
  timeOfFrame,
  timingFor,
  timingOfFilm,
} from './clock'

const range = (t0: number, t1: number) => ({ t0: ns(t0), t1: ns(t1) })

describe('speeds', () => {
  it('go from 0.0001 to 100, each at most half faster than the one before', () => {
    expect([SPEEDS[0], SPEEDS.at(-1)]).toEqual([0.0001, 100])
    SPEEDS.slice(1).forEach((speed, i) => {
      const ratio = speed / (SPEEDS[i] ?? 0)
      expect(ratio).toBeGreaterThan(1)
      expect(ratio).toBeLessThan(1.51)
    })
  })
  it('are chosen so that a recording takes 20 to 31 s', () => {
    for (const seconds of [0.003, 0.11, 1, 4.03, 7.77, 30, 31, 119, 1800]) {
      const length = seconds / speedFor(range(5e9, 5e9 + seconds * 1e9))
      expect(length, `${seconds} s`).toBeGreaterThan(20)
      expect(length, `${seconds} s`).toBeLessThan(31)
    }
    expect([speedFor(range(0, 1000)), speedFor(range(0, 1e15))]).toEqual([0.0001, 100])
  })
  it('step up and down, and stay at the ends', () => {
    expect([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(100, 1), nextSpeed(0.0001, -1)]).toEqual([
      1.5, 0.8, 100, 0.0001,
    ])
    expect([speedWords(0.3), speedWords(0.0015), speedWords(1.5529)]).toEqual(['0.3×', '0.0015×', '1.55×'])
  })
})

describe('moments', () => {
  const timing = timingFor(range(100, 100 + 7e9), 0.3)
  it('are a sixtieth of a second of playback apart, in complete ns', () => {
    expect(timing).toMatchObject({ step: 5_000_000, window: 1e9 })
    expect(timingFor(range(0, 1e9), 0.0001).step).toBe(1667)
  })
  it('are those up to a time, and the end', () => {
    expect([
      momentAt(timing, 100),
      momentAt(timing, 5_000_099),
      momentAt(timing, 5_000_100.5),
      momentAt(timing, 8e9),
    ]).toEqual([100, 100, 5_000_100, 7_000_000_100])
    expect([numberOf(timing, 5_000_100), numberOf(timing, 5_000_101), numberOf(timing, 0)]).toEqual([
      1,
      undefined,
      undefined,
    ])
  })
  it('of a film are equally far apart, and the last is the end', () => {
    const film = timingOfFilm(range(0, 1_000_000_007), 31, 1)
    expect(film).toMatchObject({ step: 33_333_333, window: 3e9 })
    expect([0, 1, 29, 30].map(frame => timeOfFrame(film, frame, 31))).toEqual([
      0, 33_333_333, 966_666_657, 1_000_000_007,
    ])
  })
})

describe('a frame', () => {
  const whole = range(0, 10e9)
  it('goes on by the time that passed, times the speed', () => {
    expect(advance(1e9, 16, 0.5, whole, false)).toEqual({ t: 1e9 + 8e6, ended: false })
  })
  it('that was held up goes on from where it was', () => {
    expect(advance(1e9, 60_000, 1, whole, false).t).toBe(1e9 + 250e6)
  })
  it('stays at the end, or begins again after the end was shown', () => {
    expect(advance(9.999e9, 16, 1, whole, false)).toEqual({ t: 10e9, ended: true })
    expect(advance(9.999e9, 16, 1, whole, true)).toEqual({ t: 10e9, ended: false })
    expect(advance(10e9, 16, 1, whole, true)).toEqual({ t: 0, ended: false })
  })
})
