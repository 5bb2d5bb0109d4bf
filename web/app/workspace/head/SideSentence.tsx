/** Sentences of the engine with a badge for each side, so that long names do not break them. */
import type { Sentence } from '../../../engine/protocol'
import { quantity } from '../../../lib/format'
import { lettersOf } from '../../../state/comparing/outcome'
import type { ComparedRuns, Run } from '../../../state/types'

export interface BadgedSide {
  /** `A`, for a group, too; `A–C` for runs of a side that are not grouped on the page. */
  readonly letter: string
  /** The letter of the run whose colour the badge has. */
  readonly colour: string
  readonly label: string
}

/** The sides of a comparison, in the order of its document. */
export function badgedSides(compared: ComparedRuns, runs: readonly Run[]): readonly BadgedSide[] {
  return compared.document.sides.map(({ label }, i) => {
    const { name, first } = lettersOf(compared, i, runs)
    return { letter: name, colour: first, label }
  })
}

interface SideBadgeProps {
  readonly side: BadgedSide
  /** Whether a colon follows the name of the side. */
  readonly colon?: boolean
}

/** The badge of a side; screen readers get its label. */
export function SideBadge({ side: { letter, colour, label }, colon = false }: SideBadgeProps) {
  return (
    <span className="side-badge" title={label}>
      <span className="badge" data-run={colour} aria-hidden="true">
        {letter}
      </span>
      <span className="visually-hidden">{colon ? `${label}:` : label}</span>
    </span>
  )
}

interface SideSentenceProps {
  readonly parts: Sentence | undefined
  /** The sentence as text, where a snapshot that was made by hand lacks its parts. */
  readonly plain: string
  readonly sides: readonly BadgedSide[]
}

export function SideSentence({ parts, plain, sides }: SideSentenceProps) {
  if (parts === undefined) return plain
  return parts.map((part, i) => {
    if (typeof part === 'string') {
      // A badge is set apart by its ground: the colon behind a name is for those who hear it.
      const before = parts[i - 1]
      const isBehindSide = typeof before === 'object' && 'side' in before
      return isBehindSide && part.startsWith(': ') ? part.slice(1) : part
    }
    if (!('side' in part)) return quantity(part.unit, part.value)
    const side = sides[part.side]
    const after = parts[i + 1]
    const colon = typeof after === 'string' && after.startsWith(': ')
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no other identity
    return side && <SideBadge key={i} side={side} colon={colon} />
  })
}
