/** Less and less of a snapshot, for links of size S whose smallest charts are still too long: many runs, many findings. */
import type { CompareDocument, ComparedFigure, Comparison, Snapshot } from '../engine/protocol'

/** Findings that are kept per comparison. */
const MAX_FINDINGS = 3

/** Settings that are kept per finding. */
const MAX_SETTINGS = 4

/** Longest labels, in characters, one after another. */
export const LABEL_LENGTHS = [48, 24, 12] as const

type Trim = (snapshot: Snapshot) => Snapshot

/** With both the first comparison and the others changed. */
function withComparisons(document: CompareDocument, change: (comparison: Comparison) => Comparison): CompareDocument {
  const { side, more } = document
  const first = side === undefined ? document : { ...document, ...change({ ...(document as Comparison) }) }
  return { ...first, ...(more && { more: more.map(change) }) }
}

/** The snapshot with another document, which says how many figures and findings it left out. */
function withDocument(snapshot: Snapshot, change: (document: CompareDocument) => CompareDocument): Snapshot {
  const { document } = snapshot
  if (!document) return snapshot
  const { figures = [], findings = [] } = document
  const { left_out: [leftFigures, leftFindings] = [0, 0], ...changed } = change(document)
  const left = [
    leftFigures + figures.length - (changed.figures?.length ?? 0),
    leftFindings + findings.length - (changed.findings?.length ?? 0),
  ] as const
  return { ...snapshot, document: { ...changed, ...(left.some(n => n > 0) && { left_out: left }) } }
}

/** Without what other tools and texts say about the runs. */
const withoutContext: Trim = snapshot => {
  const runs = snapshot.head.runs.map(({ bench: _, settings: __, ...run }) => run)
  const trimmed = withDocument(snapshot, ({ context: _, ...document }) => document)
  return { ...trimmed, head: { ...trimmed.head, runs } }
}

/** Figures whose difference is more than noise, and totals. */
const isTelling = ({ verdict, key }: ComparedFigure): boolean =>
  key === 'span' || key.endsWith('_bps') || (verdict !== undefined && verdict !== 'noise' && verdict !== 'equal')

const withFewFigures: Trim = snapshot =>
  withDocument(snapshot, document => {
    const told = new Set(
      [...(document.figures ?? []), ...(document.more ?? []).flatMap(({ figures }) => figures)].flatMap(figure =>
        isTelling(figure) ? [figure.key] : [],
      ),
    )
    return withComparisons(document, comparison => ({
      ...comparison,
      figures: comparison.figures.filter(({ key }) => told.has(key)),
    }))
  })

const withFewFindings: Trim = snapshot =>
  withDocument(snapshot, document =>
    withComparisons(document, comparison => ({
      ...comparison,
      findings: comparison.findings
        .slice(0, MAX_FINDINGS)
        .map(finding =>
          finding.settings ? { ...finding, settings: finding.settings.slice(0, MAX_SETTINGS) } : finding,
        ),
    })),
  )

/** Each leaves out more than the one before. */
export const TRIMS: readonly Trim[] = [
  withoutContext,
  snapshot => withFewFigures(withoutContext(snapshot)),
  snapshot => withFewFindings(withFewFigures(withoutContext(snapshot))),
]

/** A text of at most so many characters, its middle left out. */
export function elided(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const begin = Math.ceil((most - 1) / 2)
  return `${characters.slice(0, begin).join('')}\u2026${characters.slice(characters.length - (most - 1 - begin)).join('')}`
}

/** Shorter labels, which stay different: equal ones get a number. */
export function shortLabels(labels: readonly string[], most: number): readonly string[] {
  const short = new Map<string, string>()
  for (const label of new Set(labels)) {
    const same = [...short.values()].filter(other => other.startsWith(elided(label, most))).length
    short.set(label, same === 0 ? elided(label, most) : `${elided(label, most)} ${same + 1}`)
  }
  return labels.map(label => short.get(label) ?? label)
}

/** With shorter labels of runs and sides. */
export function withShortLabels(snapshot: Snapshot, most: number): Snapshot {
  const labels = shortLabels(
    [
      ...snapshot.head.runs.map(run => run.label),
      ...(snapshot.document?.runs.map(run => run.label) ?? []),
      ...(snapshot.document?.sides.map(side => side.label) ?? []),
    ],
    most,
  )
  const heads = snapshot.head.runs.length
  const runs = snapshot.document?.runs.length ?? 0
  const trimmed = withDocument(snapshot, document => ({
    ...document,
    runs: document.runs.map((run, i) => ({ ...run, label: labels[heads + i] ?? run.label })),
    sides: document.sides.map((side, i) => ({ ...side, label: labels[heads + runs + i] ?? side.label })),
  }))
  const head = { ...trimmed.head, runs: trimmed.head.runs.map((run, i) => ({ ...run, label: labels[i] ?? run.label })) }
  return { ...trimmed, head }
}
