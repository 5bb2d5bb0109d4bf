/** The doors through which inputs come in, with the rule of each: the constants of docs/security.md. */
import { ARCHIVES } from './archives'
import { BINARIES } from './binaries'
import { LINKS } from './links'
import { MAILS } from './mails'
import { TABLES } from './tables'
import { TEXTS } from './texts'
import { TRACES } from './traces'
import type { Rule, WorstCase } from './worst'

export interface Door {
  readonly name: string
  readonly rule: Rule
  readonly cases: readonly WorstCase[]
}

/** About twice what the worst case takes on the machine of the rules, `YARDSTICK_SECONDS`. */
export const DOORS: readonly Door[] = [
  { name: 'blktrace recordings', rule: { seconds: 2, secondsPerMB: 2, mb: 300, mbPerMB: 30 }, cases: TRACES },
  {
    name: 'trace.dat, perf.data, Perfetto',
    rule: { seconds: 2, secondsPerMB: 1, mb: 300, mbPerMB: 300 },
    cases: BINARIES,
  },
  // Lines that have nothing in common are looked at by every reader: 3.4 s per MB.
  {
    name: 'texts: traces, notes, counters, results',
    rule: { seconds: 2, secondsPerMB: 5, mb: 300, mbPerMB: 30 },
    cases: [...TEXTS, ...MAILS],
  },
  { name: 'archives', rule: { seconds: 2, secondsPerMB: 1, mb: 400, mbPerMB: 30 }, cases: ARCHIVES },
  { name: 'tables of digests', rule: { seconds: 4, secondsPerMB: 30, mb: 500, mbPerMB: 1000 }, cases: TABLES },
  { name: 'links and reports', rule: { seconds: 3, secondsPerMB: 120, mb: 300, mbPerMB: 10_000 }, cases: LINKS },
]
