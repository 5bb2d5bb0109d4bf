/** `seekscope compare --junit FILE`: what a comparison is tested for, as JUnit XML. */
import type { CompareDocument, Comparison } from '../../../web/engine/protocol'
import { comparisonsOf } from '../../../web/state/comparing/comparing'

/** Characters that XML 1.0 cannot hold are left out. */
const NOT_XML =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
}

/** Invisible characters and those that reverse text; they are printed by number. */
const UNSEEN = /[\u0080-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (text: string): string =>
  text
    .replace(NOT_XML, '')
    .replace(/[&<>"\n\t\r]/g, c => ENTITIES[c] ?? c)
    .replace(UNSEEN, c => `&#x${c.codePointAt(0)?.toString(16)};`)

/** Test cases of one side against the baseline: one per code, which fails with the sentence of its finding. */
function casesOf(
  side: string,
  { outcome, verdict, findings }: Comparison,
  names: readonly string[],
): readonly JunitCase[] {
  return names.map(name => {
    if (name !== 'slower') {
      const found = findings.filter(f => f.code === name).map(f => f.sentence)
      return { side, name, ...(found.length > 0 && { failure: found.join(' ') }) }
    }
    return {
      side,
      name,
      ...(outcome === 'slower' && { failure: verdict }),
      ...(outcome === 'unsure' && { skipped: verdict }),
    }
  })
}

export interface JunitCase {
  /** Label of the side or the run. */
  readonly side: string
  readonly name: string
  readonly failure?: string
  /** Why there is no result; more runs are needed. */
  readonly skipped?: string
}

/** JUnit XML of a comparison. `names` are the codes of `--fail-if`; empty: `slower`. */
export function junit(document: CompareDocument, names: readonly string[]): string {
  const codes = names.length > 0 ? [...new Set(names)] : ['slower']
  const cases = comparisonsOf(document).flatMap(comparison =>
    casesOf(document.sides[comparison.side]?.label ?? '', comparison, codes),
  )
  const base = document.sides[document.baseline]?.label ?? ''
  return junitSuite(`seekscope compare with ${base}`, cases)
}

/** JUnit XML of one suite. */
export function junitSuite(suite: string, cases: readonly JunitCase[]): string {
  const lines = cases.map(({ side, name, failure, skipped }) => {
    const open = `    <testcase classname="${escaped(side)}" name="${escaped(name)}"`
    if (failure !== undefined) return `${open}>\n      <failure message="${escaped(failure)}"/>\n    </testcase>`
    return skipped === undefined
      ? `${open}/>`
      : `${open}>\n      <skipped message="${escaped(skipped)}"/>\n    </testcase>`
  })
  const counts = `tests="${cases.length}" failures="${cases.filter(c => c.failure !== undefined).length}" skipped="${cases.filter(c => c.skipped !== undefined).length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
