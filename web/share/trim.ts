/**
 * Reduces snapshots for links of size S whose smallest charts are still too long, because of many runs and findings.
 */
import type { CompareDocument, ComparedFigure, Comparison, Snapshot } from '../engine/protocol'

/** Maximum number of findings per comparison. */
const MAX_FINDINGS = 3

/** Maximum number of settings per finding. */
const MAX_SETTINGS = 4

/** Maximum lengths of labels, in characters, tried one after another. */
export const LABEL_LENGTHS = [48, 24, 12] as const

type Trim = (snapshot: Snapshot) => Snapshot

/** Changes all comparisons of a document. */
function withComparisons(document: CompareDocument, change: (comparison: Comparison) => Comparison): CompareDocument {
  const { side, more } = document
  const first = side === undefined ? document : { ...document, ...change({ ...(document as Comparison) }) }
  return { ...first, ...(more && { more: more.map(change) }) }
}

/** Changes the document of a snapshot, and records how many figures and findings were left out. */
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

/** Drops the facts from other tools and texts. */
const withoutContext: Trim = snapshot => {
  const runs = snapshot.head.runs.map(({ bench: _, settings: __, ...run }) => run)
  const trimmed = withDocument(snapshot, ({ context: _, ...document }) => document)
  return { ...trimmed, head: { ...trimmed.head, runs } }
}

/** Whether a figure differs by more than noise, or is a total. */
const isTelling = ({ verdict, key }: ComparedFigure): boolean =>
  key === 'span' || key.endsWith('_bps') || (verdict !== undefined && verdict !== 'noise' && verdict !== 'equal')

const withFewFigures: Trim = snapshot =>
  withDocument(snapshot, document => {
    const tellingKeys = new Set(
      [...(document.figures ?? []), ...(document.more ?? []).flatMap(({ figures }) => figures)].flatMap(figure =>
        isTelling(figure) ? [figure.key] : [],
      ),
    )
    return withComparisons(document, comparison => ({
      ...comparison,
      figures: comparison.figures.filter(({ key }) => tellingKeys.has(key)),
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

/** Reductions in order; each leaves out more than the one before. */
export const TRIMS: readonly Trim[] = [
  withoutContext,
  snapshot => withFewFigures(withoutContext(snapshot)),
  snapshot => withFewFindings(withFewFigures(withoutContext(snapshot))),
]

/** Shortens a text to `maxLength` characters by an ellipsis in its middle. */
export function elided(text: string, maxLength: number): string {
  const characters = [...text]
  if (characters.length <= maxLength) return text
  const begin = Math.ceil((maxLength - 1) / 2)
  return `${characters.slice(0, begin).join('')}\u2026${characters.slice(characters.length - (maxLength - 1 - begin)).join('')}`
}

/** Shortens labels; those that become equal get a number. */
export function shortLabels(labels: readonly string[], maxLength: number): readonly string[] {
  const short = new Map<string, string>()
  for (const label of new Set(labels)) {
    const duplicates = [...short.values()].filter(other => other.startsWith(elided(label, maxLength))).length
    short.set(label, duplicates === 0 ? elided(label, maxLength) : `${elided(label, maxLength)} ${duplicates + 1}`)
  }
  return labels.map(label => short.get(label) ?? label)
}

/** Shortens the labels of runs and sides in a snapshot. */
export function withShortLabels(snapshot: Snapshot, maxLength: number): Snapshot {
  const labels = shortLabels(
    [
      ...snapshot.head.runs.map(run => run.label),
      ...(snapshot.document?.runs.map(run => run.label) ?? []),
      ...(snapshot.document?.sides.map(side => side.label) ?? []),
    ],
    maxLength,
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
