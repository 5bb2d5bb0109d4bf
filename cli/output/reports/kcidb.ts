/**
 * A comparison in the shape that KCIDB takes (schema 5.3): one test per side and verdict, and one per finding. The
 * database finds the kernel by `build_id`, which the reporter has submitted before.
 */
import { type CompareDocument, type Comparison, FINDING_TITLES } from '../../../web/engine/protocol'
import { comparisonsOf } from '../../../web/state/comparing/comparing'
import { keyUnitOf } from './keyUnit'

const VERSION = { major: 5, minor: 3 } as const
const ORIGIN = 'seekscope'

type Status = 'PASS' | 'FAIL' | 'DONE'

interface KcidbTest {
  readonly id: string
  readonly origin: string
  readonly build_id: string
  readonly path: string
  readonly comment: string
  readonly status: Status
  readonly misc: object
}

/** Undecided comparisons and plain changes are neither passed nor failed. */
const STATUSES: Readonly<Record<Comparison['outcome'], Status>> = {
  slower: 'FAIL',
  faster: 'PASS',
  equal: 'PASS',
  unsure: 'DONE',
}

/** A part of an id: lower case letters, digits and dashes. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The figures that differ, in base units, as values of the baseline and of the side. */
function figuresOf(document: CompareDocument, { figures, side }: Comparison): object {
  const runsOf = (index: number) => document.sides[index]?.runs ?? []
  const differing = figures.filter(figure => figure.real)
  return Object.fromEntries(
    differing.map(figure => {
      const { key, factor } = keyUnitOf(figure)
      const values = (index: number) =>
        runsOf(index).map(run => {
          const value = figure.values[run] ?? null
          return value === null ? null : value * factor
        })
      return [key, { baseline: values(document.baseline), compared: values(side) }]
    }),
  )
}

function testsOf(document: CompareDocument, comparison: Comparison, build: string): readonly KcidbTest[] {
  const side = document.sides[comparison.side]?.label ?? ''
  const id = (name: string) => `${ORIGIN}:${slug(`${build} ${side} ${name}`)}`
  const common = { origin: ORIGIN, build_id: build }
  const baseline = document.sides[document.baseline]?.label ?? ''
  return [
    {
      ...common,
      id: id('verdict'),
      path: 'seekscope.block.verdict',
      comment: comparison.verdict,
      status: STATUSES[comparison.outcome],
      misc: { baseline, compared: side, figures: figuresOf(document, comparison) },
    },
    ...comparison.findings.map(finding => ({
      ...common,
      id: id(finding.code),
      path: `seekscope.block.${finding.code}`,
      comment: finding.sentence,
      status:
        comparison.outcome === 'slower' && finding.accounts_for !== undefined ? ('FAIL' as const) : ('DONE' as const),
      misc: { baseline, compared: side, title: FINDING_TITLES[finding.code], rule: finding.rule },
    })),
  ]
}

/** `build`: the id of the build of the kernel that was tested, as it was submitted. */
export function kcidb(document: CompareDocument, build: string): string {
  const tests = comparisonsOf(document).flatMap(comparison => testsOf(document, comparison, build))
  return `${JSON.stringify({ version: VERSION, tests }, undefined, 2)}\n`
}
