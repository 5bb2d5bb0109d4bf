/** Parts below a matrix of traces or results: the text to copy, and the tests of complete lines. */

import { explained } from '../../engine/findings'
import type { SweepTest } from '../../engine/protocol'
import { sweepInWords } from '../results/results'
import { asText, type MatrixView } from './matrixText'

export function AsText({ view }: { readonly view: MatrixView }) {
  return (
    <section aria-label="As text">
      <h3>As text</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{asText(view)}</pre>
    </section>
  )
}

interface SweepsProps {
  readonly base: string
  /** Each line with its test; a test needs at least two matched cells. */
  readonly lines: readonly (readonly [string, SweepTest | null | undefined])[]
}

export function Sweeps({ base, lines }: SweepsProps) {
  const tests = lines.flatMap(([line, test]) => (test ? [sweepInWords(line, base, test)] : []))
  if (tests.length === 0) return null
  return (
    <section aria-label="Matched cells" className="matrix-sweeps">
      <h3>All matched cells together</h3>
      <ul>
        {tests.map(words => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <a href={explained('how-noise-is-judged')} target="_blank" rel="noopener">
        How noise is judged
      </a>
    </section>
  )
}
