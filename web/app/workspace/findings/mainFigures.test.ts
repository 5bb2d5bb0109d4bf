import { expect, it } from 'vitest'
import { loadEngine } from '../../../../cli/input/read/engine'
import type { DifferenceRow } from '../../../compare/rows'
import { type DigestFigure, STATE_NAMES } from '../../../engine/protocol'
import { mainFigures } from './mainFigures'
import { STATES } from './states'

const rows = (loadEngine().knownFigures() as readonly DigestFigure[]).map(
  ({ key, label, unit }): DifferenceRow => ({
    ...{
      key,
      label,
      unit,
      application: false,
      values: [],
      runs: [],
      spreads: [],
      changes: [],
      intervals: [],
      unreliable: [],
    },
  }),
)

it('takes the labels of main figures from the engine, and explains those that need it', () =>
  expect(mainFigures(rows).map(({ key, label }) => `${key}: ${label}`)).toEqual([
    'span: Run time',
    'failed.requests: Failed requests',
    'depth.mean: Queue depth, mean',
    'starved.share: Starved (idle while bios wait)',
    'q2d.mean: Before the device (Q2D, mean)',
    'd2c.mean: In the device (D2C, mean)',
    'q2c.p99: Complete request (Q2C, p99)',
    'read_bps: Throughput, read',
    'write_bps: Throughput, write',
    'alignment.full: Full-stripe requests',
    'alignment.straddles: Straddle a stripe boundary',
    'alignment.rmw.bytes: Extra I/O for parity, estimated',
    'flush.flush: Flushes',
    'flush.fua: FUA writes',
  ]))

it('lists each state that the engine names once', () =>
  expect(STATES.toSorted()).toEqual(Object.keys(STATE_NAMES).toSorted()))
