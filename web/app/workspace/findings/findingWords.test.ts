import { expect, it } from 'vitest'
import type { CompareDocument, Comparison, Finding } from '../../../engine/protocol'
import { lostWords, onlyBehaves, repeatsDiffer, settingsOf, signedTimes } from './findingWords'

const finding: Finding = {
  code: 'setting-changed',
  rank: 1,
  sentence: '',
  parts: [],
  figures: {},
  evidence: { chart: 'differences', run: 1 },
  rule: '',
}

it('tells a certain mechanism of an unsure total from lost time', () => {
  const comparison = (outcome: Comparison['outcome']): Comparison => ({
    side: 1,
    work: { same: true, why: '', parts: [] },
    outcome,
    verdict: '',
    verdict_parts: [],
    threshold: 0.2,
    margin: 0.05,
    lost_ns: { total: 2e9, starved: 2e9, busy_waiting: 0, busy: 0, nobody: 0 },
    figures: [],
    findings: [],
  })
  const document = (runs: readonly number[]): CompareDocument => ({
    schema: 1,
    runs: [],
    sides: [
      { label: 'a', runs: [0] },
      { label: 'b', runs },
    ],
    baseline: 0,
  })
  expect(repeatsDiffer(comparison('unsure'), document([1]))).toContain('20%')
  expect(repeatsDiffer(comparison('unsure'), document([1, 2]))).toBe('')
  expect(repeatsDiffer(comparison('slower'), document([1]))).toBe('')
  const starved: Finding = { ...finding, code: 'starved-while-waiting' }
  expect(onlyBehaves(comparison('unsure'), starved)).toBe(true)
  expect(onlyBehaves(comparison('equal'), starved)).toBe(true)
  expect(onlyBehaves(comparison('slower'), starved)).toBe(false)
  expect(onlyBehaves(comparison('unsure'), finding)).toBe(false)
  const words = (outcome: Comparison['outcome']) => lostWords(comparison(outcome), 'a')
  expect(words('slower')).not.toMatch(/unsure|noise/)
  expect(words('unsure')).toBe('For the same work: unsure: more runs would tell')
  expect(words('equal')).toContain('equal to within 5%')
  const differentWork = { ...comparison('slower'), work: { same: false, why: '', parts: [] } }
  expect(lostWords(differentWork, 'a')).toMatch(/^Scaled to the bytes of a: /)
})

it('lists changed settings as rows, with their devices and with what is not set', () => {
  expect(settingsOf(finding)).toEqual([])
  const settings = [
    { name: 'scheduler', values: ['mq-deadline', 'bfq'] },
    { name: 'mount options', devices: ['vda1', 'vdb1'], values: [null, 'nobarrier'] },
  ] as const
  expect(settingsOf({ ...finding, settings }).map(({ label, before, after }) => [label, before, after])).toEqual([
    ['scheduler', 'mq-deadline', 'bfq'],
    ['vda1, vdb1: mount options', 'not set', 'nobarrier'],
  ])
})

it('writes times that are listed together in one unit', () => {
  expect(signedTimes([1.401e9, 4.801e9, -2.425e9, -3.8e7, 3.739e9])).toEqual([
    '+1.401 s',
    '+4.801 s',
    '\u22122.425 s',
    '\u22120.038 s',
    '+3.739 s',
  ])
  expect(signedTimes([2e6, 0])).toEqual(['+2.000 ms', '0.000 ms'])
})
