import { expect, it } from 'vitest'
import type { Finding } from '../../engine/protocol'
import { settingsOf } from './findingWords'

const finding: Finding = { code: 'setting-changed', rank: 1, sentence: '', figures: {}, evidence: { chart: 'differences', run: 1 }, rule: '' }

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
