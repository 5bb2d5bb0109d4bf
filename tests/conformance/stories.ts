/** Recordings with a known cause, and what the comparison must say of them: all codes, the most important first. */
import type { FindingCode } from '../../web/engine/protocol'

export interface Story {
  /** A path below the project, or several; each folder in it is a run. */
  readonly paths: readonly string[]
  /** The known cause, in words; the title of the test. */
  readonly cause: string
  /** The good run or runs of one group, the other, and the codes. */
  readonly pairs: readonly (readonly [a: string, b: string, codes: readonly FindingCode[]])[]
}

const story = (name: string) => [`tests/stories/${name}.tar.xz`]

/** Pairs of every run with every other, in both directions. */
const allPairs = (runs: readonly string[], codes: readonly FindingCode[]): Story['pairs'] =>
  runs.flatMap(a => runs.filter(b => b !== a).map(b => [a, b, codes] as const))

const NOISE = ['no-real-difference'] as const

export const STORIES: readonly Story[] = [
  {
    paths: ['public/samples/idling/a', 'public/samples/idling/b'],
    cause: 'slice idling starves the device, though D2C is better',
    pairs: [
      ['a', 'b', ['starved-while-waiting', 'depth-fell', 'scheduler-slower', 'tail-cause']],
      ['b', 'a', ['starved-while-waiting', 'depth-fell', 'scheduler-slower', 'tail-cause']],
    ],
  },
  {
    paths: story('low-latency'),
    cause: 'with low_latency on, idling or not is the same',
    pairs: allPairs(['bfq-idle0-4w', 'bfq-idle8-4w'], NOISE),
  },
  {
    paths: story('cgroup-dsync'),
    cause: 'four schedulers, no real difference in throughput; bfq adds time before the device',
    pairs: [
      ...allPairs(['none', 'mq-deadline'], NOISE),
      ...allPairs(['bfq-idle0', 'bfq-idle8'], NOISE),
      // 3.0 and 3.1% of the run, and 7.7 and 8.7%; whether 1.82 and 1.5 MB/s differ is unsure.
      ...allPairs(['none', 'bfq-idle0'], ['starved-while-waiting']),
      ...allPairs(['none', 'bfq-idle8'], ['starved-while-waiting']),
      ...allPairs(['mq-deadline', 'bfq-idle0'], ['starved-while-waiting']),
      ...allPairs(['mq-deadline', 'bfq-idle8'], ['starved-while-waiting']),
    ],
  },
  {
    paths: story('seq-readers'),
    cause: 'bfq does not fill the queue and idles',
    pairs: [
      ['none', 'bfq', ['depth-fell', 'starved-while-waiting', 'scheduler-slower']],
      ['kyber', 'bfq', ['depth-fell', 'starved-while-waiting', 'scheduler-slower']],
      // 56.3 and 49.3 MB/s are unsure.
      ['none', 'kyber', []],
    ],
  },
  {
    paths: story('raid5'),
    cause: 'a partition off the stripe: raw, twice as slow; through the page cache, different but not slower',
    pairs: [
      ['raw-aligned', 'raw-misaligned', ['alignment-lost', 'rmw-cost', 'setting-changed']],
      ['ext4-aligned', 'ext4-misaligned', ['alignment-lost', 'setting-changed']],
    ],
  },
  {
    paths: story('held'),
    cause: 'made texts: wbt limits writes, kyber holds reads back',
    pairs: [
      ['wbt-free', 'wbt-limited', ['starved-while-waiting', 'scheduler-slower']],
      ['kyber-free', 'kyber-held', ['starved-while-waiting', 'scheduler-slower']],
    ],
  },
  {
    paths: story('unsure'),
    cause: 'slice idling starves the device; whether the run is slower is unsure',
    pairs: [['idle0-3w', 'idle8-3w', ['starved-while-waiting', 'depth-fell', 'scheduler-slower']]],
  },
  {
    paths: story('think'),
    cause: 'the application pauses 2.5 ms after each read',
    pairs: [
      ['think0', 'think2500', ['idle-grew']],
      ['think2500', 'think0', ['idle-grew']],
    ],
  },
  {
    paths: story('off-block'),
    cause: 'a partition at sector 2049: each 4 KiB write is in two physical blocks',
    pairs: [
      ['sector2048', 'sector2049', ['off-physical-block', 'setting-changed']],
      ['sector2049', 'sector2048', ['off-physical-block', 'setting-changed']],
    ],
  },
  {
    paths: story('io-max'),
    cause: 'io.max of 250 reads per second: blk-throttle holds bios back before Q',
    pairs: [
      ['unlimited', 'riops250', ['throttled']],
      ['riops250', 'unlimited', ['throttled']],
    ],
  },
  {
    paths: story('queue-limit'),
    cause: 'nr_requests 64 and 4: bios wait for a request',
    pairs: [
      ['nr64', 'nr4', ['tags-exhausted', 'depth-fell']],
      ['nr4', 'nr64', ['tags-exhausted', 'depth-fell']],
    ],
  },
  {
    paths: story('other-process'),
    cause: 'a second process writes to the disk of the first one',
    pairs: [
      ['alone', 'with-writer', ['not-the-same-work', 'other-process']],
      ['with-writer', 'alone', ['not-the-same-work', 'other-process']],
    ],
  },
  {
    paths: story('split'),
    cause: 'the limit of 254 segments splits each write of 1 MiB from a scattered buffer',
    pairs: [['complete', 'split', ['requests-split', 'requests-smaller']]],
  },
  {
    paths: story('write-through'),
    cause: 'write_cache is write through: the device writes to its medium, and no flushes are sent',
    pairs: [
      ...allPairs(['write-back-run1', 'write-back-run2'], NOISE),
      ...allPairs(['write-through-run1', 'write-through-run2'], NOISE),
      ['write-back-run1', 'write-through-run1', ['write-through', 'flushes-appeared', 'setting-changed']],
      ['write-through-run2', 'write-back-run2', ['write-through', 'flushes-appeared', 'setting-changed']],
      ['write-back', 'write-through', ['write-through', 'flushes-appeared', 'setting-changed']],
    ],
  },
  {
    paths: story('completions'),
    cause: 'one hardware queue, two CPUs: rq_affinity 2 completes on the CPU of Q, 0 where the interrupt is',
    pairs: [
      ...allPairs(['affinity2-run1', 'affinity2-run2'], NOISE),
      // At 0.98 and 0.97 MB/s, D2C differs by 35%: more than repeats usually do, and no cause.
      ...allPairs(['affinity0-run1', 'affinity0-run2'], []),
      ['affinity2-run1', 'affinity0-run1', ['completions-migrated', 'setting-changed']],
      ['affinity2', 'affinity0', ['completions-migrated', 'setting-changed']],
    ],
  },
  {
    paths: story('zones'),
    cause: 'zones: the same eight written again and again, or 24 once; two writers in a zone each, or both in one',
    pairs: [
      ...allPairs(['once-run1', 'once-run2'], NOISE),
      // 90 and 111 writes per second are unsure.
      ['often-run1', 'often-run2', []],
      ['once-run1', 'often-run1', ['zone-resets']],
      ['once', 'often', ['zone-resets']],
      ...allPairs(['apart-run1', 'apart-run2'], NOISE),
      ...allPairs(['same-run1', 'same-run2'], NOISE),
      // Whether the run is slower is unsure; writes wait for their turn in the zone.
      [
        'apart-run1',
        'same-run1',
        ['failures-appeared', 'starved-while-waiting', 'scheduler-slower', 'off-write-pointer'],
      ],
      ['apart', 'same', ['failures-appeared', 'starved-while-waiting', 'scheduler-slower', 'off-write-pointer']],
    ],
  },
  {
    paths: story('drift'),
    cause: 'a disk with a limit of 129 reads per second, and one that allows 200 until its burst is used up, then 60',
    pairs: [
      // D2C differs by 26% at the same rate, which the disk limits.
      ...allPairs(['steady-run1', 'steady-run2'], []),
      ...allPairs(['burst-run1', 'burst-run2'], NOISE),
      ['steady-run1', 'burst-run1', ['drift-within-run']],
      ['burst-run2', 'steady-run2', ['drift-within-run']],
      ['steady', 'burst', ['drift-within-run']],
    ],
  },
  {
    paths: story('sorting'),
    cause: 'mq-deadline sorts 32 random writes for a disk that seeks, without a scheduler nothing does',
    pairs: [
      ...allPairs(['mq-deadline-run1', 'mq-deadline-run2'], NOISE),
      ...allPairs(['none-run1', 'none-run2'], NOISE),
      ['mq-deadline-run1', 'none-run1', ['reordering-fell', 'setting-changed']],
      ['none-run2', 'mq-deadline-run2', ['reordering-fell', 'setting-changed']],
      ['mq-deadline', 'none', ['reordering-fell', 'setting-changed']],
    ],
  },
  {
    paths: story('device-20'),
    cause: 'the device answers 20% slower: the total of single runs is unsure, D2C is not',
    pairs: [['answers-10ms', 'answers-12ms', ['device-slower']]],
  },
  {
    paths: story('readahead'),
    cause: 'readahead 128 KiB instead of 4096',
    pairs: [['ra4096', 'ra128', ['readahead-shrank']]],
  },
  {
    paths: story('sync-writes'),
    cause: 'a disk without FUA flushes where one with FUA forces',
    pairs: [
      ['ext4-scsi-direct-dsync', 'ext4-virtio-direct-dsync', ['flushes-appeared', 'fua-appeared']],
      ['ext4-virtio-direct-dsync', 'ext4-scsi-direct-dsync', ['fua-appeared', 'flushes-appeared']],
      ['ext4-scsi-osync', 'ext4-virtio-osync', ['flushes-appeared', 'fua-appeared']],
      ['ext4-virtio-osync', 'ext4-scsi-osync', ['fua-appeared', 'flushes-appeared']],
      ['xfs-scsi-direct-dsync', 'xfs-virtio-direct-dsync', ['flushes-appeared', 'fua-appeared']],
      ['xfs-virtio-direct-dsync', 'xfs-scsi-direct-dsync', ['fua-appeared', 'flushes-appeared']],
      ['ext4-scsi-direct', 'ext4-scsi-direct-dsync', ['fua-appeared']],
      [
        'ext4-scsi-direct',
        'ext4-scsi-osync',
        ['not-the-same-work', 'fua-appeared', 'flushes-appeared', 'interleaving-grew', 'placement-moved'],
      ],
    ],
  },
  {
    paths: story('throttled'),
    cause: 'the device, and nothing else',
    pairs: [
      // The fast disk idles more: 5.5% of its run, which it does in a quarter of the time.
      ['fast', 'slow', ['device-slower', 'starved-while-waiting']],
      ['slow', 'fast', ['device-slower', 'starved-while-waiting']],
    ],
  },
  {
    paths: story('repeat'),
    cause: 'repeats of two kernels: within one, noise; between them more plugs, the same throughput',
    pairs: [
      ...allPairs(['k6.1-run1', 'k6.1-run2', 'k6.1-run3'], NOISE),
      ...allPairs(['k6.12-run1', 'k6.12-run2'], NOISE),
      ...allPairs(['k6.12-run2', 'k6.12-run3'], NOISE),
      // 13.6 instead of 10.9 in flight: more than repeats usually differ by.
      ...allPairs(['k6.12-run1', 'k6.12-run3'], []),
      ['k6.1', 'k6.12', NOISE],
    ],
  },
  {
    paths: ['tests/fixtures/dropped', 'tests/fixtures/io-errors'],
    cause: 'a trace with lost events',
    pairs: [
      [
        'io-errors',
        'dropped',
        ['trace-incomplete', 'not-the-same-work', 'failures-appeared', 'idle-grew', 'sync-changed', 'readahead-shrank'],
      ],
    ],
  },
]
