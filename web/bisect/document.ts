/**
 * The document of a bisection, which `seekscope bisect --report --json` prints: what it must have, and what its parts
 * are. The log of a bisection stores the same figures.
 */
import type {
  BisectEvidence,
  BisectFinding,
  BisectLevel,
  EngineError,
  PrintedAnchor,
  PrintedBisection,
  PrintedCommit,
  PrintedEndpoint,
  PrintedSide,
} from '../engine/protocol'
import { BISECT_VERDICTS } from '../engine/protocol'
import {
  absentOr,
  type Check,
  type CompleteChecks,
  isCount,
  isFlag,
  isList,
  isListOf,
  isNumber,
  isObjectWith,
  isOneOf,
  isText,
  unsoundField,
} from '../lib/checks'
import { count } from '../lib/format'
import { visibleIn } from '../lib/text/visible'

/** Version of the document, and of the rows of the log. */
export const BISECTION_SCHEMA = 1

/** Value of the field `kind`. */
export const BISECTION_KIND = 'bisection'

/** Maximum size of a document: its digests may be of recordings with very many devices. */
export const MAX_BISECTION_BYTES = 32 << 20
/** Maximum number of commits that were tested. */
const MAX_COMMITS = 1000
/** Maximum length of a text, except of digests. */
const MAX_TEXT_LENGTH = 1 << 16

const isShortText: Check = value => typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
const areTexts = (maxCount: number): Check => isListOf(isShortText, maxCount)
const isSide = isOneOf(BISECT_VERDICTS)

const LEVEL: CompleteChecks<BisectLevel> = {
  runs: isCount,
  value: isNumber,
  ci95: value => isListOf(isNumber, 2)(value) && isList(value) && value.length === 2,
}

const EVIDENCE: CompleteChecks<BisectEvidence> = {
  key: isShortText,
  label: isShortText,
  unit: isShortText,
  of_finding: isFlag,
  good: isObjectWith(LEVEL),
  bad: isObjectWith(LEVEL),
  expected_runs: absentOr(isCount),
  commit: absentOr(isObjectWith(LEVEL)),
  verdict: absentOr(isSide),
  error: absentOr(isNumber),
  more_runs: absentOr(isCount),
  place: absentOr(isShortText),
}

const FINDING: CompleteChecks<BisectFinding> = { code: isShortText, present: absentOr(isFlag) }

/** What the log and the document have of a commit. */
export type JudgedCommit = Omit<PrintedCommit, 'step'>

export const COMMIT: CompleteChecks<JudgedCommit> = {
  commit: absentOr(isShortText),
  subject: absentOr(isShortText),
  runs: isCount,
  verdict: isOneOf([...BISECT_VERDICTS, 'skip']),
  evidence: isListOf(isObjectWith(EVIDENCE), 16),
  decided_by: absentOr(isCount),
  finding: absentOr(isObjectWith(FINDING)),
  contradicted: isFlag,
  mends: absentOr(isFlag),
  reason: isShortText,
}

/** What all rows of the log have. */
export const LOGGED: CompleteChecks<Omit<PrintedAnchor, 'side' | 'steps' | 'kind'>> = {
  schema: value => value === BISECTION_SCHEMA,
  time: isShortText,
  seconds: isNumber,
  start: absentOr(isShortText),
  runs: isCount,
  digests: absentOr(isShortText),
}

/** What the log and the document have of a new measurement of good or bad. */
export const ANCHOR: CompleteChecks<Omit<PrintedAnchor, 'steps'>> = {
  ...LOGGED,
  kind: isOneOf(['anchor']),
  side: isSide,
}

const ENDPOINT: CompleteChecks<PrintedEndpoint> = { side: isSide, commits: areTexts(MAX_COMMITS) }

const SIDE: CompleteChecks<PrintedSide> = {
  side: isSide,
  commit: absentOr(isShortText),
  subject: absentOr(isShortText),
  step: absentOr(isCount),
  digests: isListOf(isText, MAX_COMMITS),
}

const DOCUMENT: CompleteChecks<PrintedBisection> = {
  schema: value => value === BISECTION_SCHEMA,
  kind: isOneOf([BISECTION_KIND]),
  started: absentOr(isShortText),
  seconds: isNumber,
  steps: isCount,
  runs: isCount,
  skipped: isCount,
  candidates: absentOr(isCount),
  endpoints: isListOf(isObjectWith(ENDPOINT), 2),
  anchors: isListOf(isObjectWith({ ...ANCHOR, steps: isCount }), MAX_COMMITS),
  commits: isListOf(isObjectWith({ ...COMMIT, step: isCount }), MAX_COMMITS),
  first_bad: absentOr(isShortText),
  remaining: absentOr(isListOf(isShortText)),
  sides: isListOf(isObjectWith(SIDE), 2),
  between: absentOr(isCount),
  next: areTexts(16),
  mail: areTexts(16),
}

const bisectionError = (code: string, file: string, message: string, remedy: string): EngineError => ({
  code,
  message,
  at: { file },
  remedy,
})

const MAKE_ONE = 'Make it again: seekscope bisect --report --json > bisection.json.'

/** The document in a text, from a file of this name. Throws an EngineError. */
export function readBisection(text: string, name: string): PrintedBisection {
  const value = parsedJson(text, name)
  const { schema, kind } = value
  if (kind !== BISECTION_KIND)
    throw bisectionError(
      'bisection-log',
      name,
      `${name} is the log of a bisection, which has no figures of good and bad runs to compare.`,
      'Open its report instead: seekscope bisect --report --json > bisection.json, with --state DIR for the ' +
        'directory of the log.',
    )
  if (typeof schema === 'number' && schema > BISECTION_SCHEMA)
    throw bisectionError(
      'bisection-newer',
      name,
      `${name} is a bisection of schema ${schema}; this page reads ${BISECTION_SCHEMA}.`,
      'A newer Seekscope wrote it: open it with that version, or make it again with this one.',
    )
  const wrong = unsoundField<PrintedBisection>(value, DOCUMENT)
  if (wrong === undefined) return visibleDocument(value as unknown as PrintedBisection, name)
  const entries = value[wrong]
  if (isList(entries) && entries.length > MAX_COMMITS)
    throw bisectionError(
      'bisection-too-large',
      name,
      `"${wrong}" of ${name} has ${count(entries.length)} entries, more than ${count(MAX_COMMITS)}.`,
      'No bisection needs as many steps. If git skipped very many commits, bisect between the tested ones again.',
    )
  throw bisectionError(
    'bisection-damaged',
    name,
    `"${wrong}" of ${name} is missing or is not what a report of a bisection has there.`,
    `Usually the file was edited, or another program wrote it. ${MAKE_ONE}`,
  )
}

/** Escapes control characters; digests are not shown. */
function visibleDocument(document: PrintedBisection, name: string): PrintedBisection {
  try {
    const sides = document.sides.map(({ digests, ...side }) => ({ ...visibleIn(side), digests }))
    return { ...visibleIn({ ...document, sides: [] }), sides }
  } catch {
    // The stack was exhausted, by fields that no report has.
    throw bisectionError('bisection-damaged', name, `${name} has values that are nested too deeply.`, MAKE_ONE)
  }
}

function parsedJson(text: string, name: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    // The log has a document per line: its first one tells what it is.
    value = JSON.parse(/^\{"schema":\d+,"kind":"(?:step|anchor)"/.test(text) ? (text.split('\n', 1)[0] ?? '') : text)
  } catch {
    throw bisectionError(
      'bisection-damaged',
      name,
      `${name} begins like a bisection, but is no complete JSON document.`,
      `Usually the file was cut when it was copied. ${MAKE_ONE}`,
    )
  }
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The refusal of a file that is too large to be read. */
export const bisectionTooLarge = (name: string, bytes: number): EngineError =>
  bisectionError(
    'bisection-too-large',
    name,
    `${name} has ${count(bytes)} bytes, more than the ${count(MAX_BISECTION_BYTES)} of a bisection.`,
    `Nearly always it is another file. ${MAKE_ONE}`,
  )

/** The figure that decided about a commit, or is to decide; absent without a run. */
export const decidingFigure = ({ evidence, decided_by = 0 }: Pick<PrintedCommit, 'evidence' | 'decided_by'>) =>
  evidence[decided_by]

/** The figure of the finding that is followed; absent where there is none. */
export const findingFigure = ({ evidence }: Pick<PrintedCommit, 'evidence'>): BisectEvidence | undefined =>
  evidence.find(({ of_finding }) => of_finding)

/** The figure that is told beside that of the finding; without a finding, the one that decides. */
export const otherFigure = ({ evidence }: Pick<PrintedCommit, 'evidence'>): BisectEvidence | undefined =>
  evidence.find(({ of_finding }) => !of_finding)

/** The commit of the last step that has figures: its levels of good and bad are the present ones. */
export const lastJudged = ({ commits }: Pick<PrintedBisection, 'commits'>): PrintedCommit | undefined =>
  commits.reduce<PrintedCommit | undefined>(
    (last, commit) => (commit.evidence.length > 0 && commit.step > (last?.step ?? 0) ? commit : last),
    undefined,
  )
