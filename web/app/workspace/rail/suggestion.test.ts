import { describe, expect, it } from 'vitest'
import type { StripedArray } from '../../../engine/protocol'
import { sector } from '../../../lib/units'
import type { Run } from '../../../state/types'
import { suggestionsOf } from './suggestion'

const MD0: StripedArray = { device: 'md0', level: 'raid5', unit_sectors: 512, disks: 4 }

const run = (
  device: { readonly dev: string; readonly name: string },
  arrays: readonly StripedArray[],
  overrides: Partial<Run> = {},
): Run =>
  ({
    letter: 'A',
    device: 0,
    info: { devices: [{ index: 0, role: 'disk', ...device }] },
    notes: [
      {
        file: 'dir/mdstat.txt',
        kind: 'mdstat',
        what: '',
        facts: [{ of: 'md0p1', key: 'start_sector', name: 'First sector', value: 63, unit: 'sector' }],
        arrays,
        blob: new Blob(),
      },
    ],
    ...overrides,
  }) as unknown as Run

describe('arrays described in notes', () => {
  it('is suggested for the array itself, with the partition that starts off its units', () => {
    const expected = [
      {
        letter: 'A',
        unit: 512,
        start: 0,
        dataDisks: 4,
        level: 'raid5',
        source: { kind: 'note', file: 'dir/mdstat.txt', array: 'md0', unalignedPart: { name: 'md0p1', start: 63 } },
      },
    ]
    expect(suggestionsOf(run({ dev: '9,0', name: 'md0' }, [MD0]))).toEqual(expected)
    expect(suggestionsOf(run({ dev: '9,0', name: '9,0' }, [MD0, MD0]))).toEqual(expected)
  })
  it('is not suggested for a member, nor for another array', () => {
    expect(suggestionsOf(run({ dev: '8,0', name: 'sda' }, [MD0]))).toEqual([])
    expect(suggestionsOf(run({ dev: '8,0', name: '8,0' }, [MD0]))).toEqual([])
    expect(suggestionsOf(run({ dev: '9,1', name: 'md1' }, [MD0]))).toEqual([])
  })
  it('is not repeated once it is set', () => {
    const geometry = { level: 'raid5' as const, unit: sector(512), dataDisks: 4, start: sector(0) }
    expect(suggestionsOf(run({ dev: '9,0', name: 'md0' }, [MD0], { geometry }))).toEqual([])
    expect(
      suggestionsOf(run({ dev: '9,0', name: 'md0' }, [MD0], { geometry: { ...geometry, dataDisks: 3 } })),
    ).toHaveLength(1)
  })
})
