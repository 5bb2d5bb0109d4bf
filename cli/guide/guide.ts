/** `seekscope guide`: one page for scripts and language models. Facts come from the tables of the program. */
import { version } from '../../package.json'
import { DEFINITIONS } from '../../web/engine/generated/schemas'
import { FINDING_CODES, RUN_FINDING_CODES, UNITS } from '../../web/engine/protocol'
import { asciiText, wrapped } from '../../web/lib/text/plainText'
import { print } from '../output/output'
import { NAME, TAGLINE, TOPICS } from '../program/about'
import { DOCUMENT_NAMES, documentSource } from '../schema/documents'
import { descriptionOf } from './keys'
import { KEYS, QUESTIONS, RECIPES, TRAPS } from './pages'

const WIDTH = 80

/** Text in lines with this indent. */
const paragraph = (text: string, indent = ''): readonly string[] =>
  wrapped(asciiText(text), WIDTH - indent.length).map(line => indent + line)

/** A term and its description, which begins in its column. */
function item(term: string, text: string, column: number): readonly string[] {
  const [first = '', ...rest] = paragraph(text, ' '.repeat(column))
  if (term.length + 3 > column) return [`  ${term}`, first, ...rest]
  return [`  ${term}`.padEnd(column) + first.slice(column), ...rest]
}

const section = (title: string, lines: readonly string[]): readonly string[] => [title.toUpperCase(), '', ...lines, '']

const topic = (title: string) => TOPICS.find(({ title: name }) => name === title)

/** The first sentence of a description. */
const firstSentence = (text: string): string => text.replaceAll('`', '').replace(/[.;:] .*$|\.$/s, '')

function documents(): readonly string[] {
  const list = DOCUMENT_NAMES.map(name => {
    const { printed, lines } = documentSource(name)
    return item(name, lines ? `${printed} (a document per line)` : printed, 18)
  })
  const keys = KEYS.flatMap(([name, paths]) => [
    `  ${name}:`,
    ...paths.flatMap(path => item(`  .${path}`, firstSentence(descriptionOf(name, path) ?? ''), 38)),
  ])
  const about = `'${NAME} schema NAME' prints the JSON Schema of a document with all its keys and their units.`
  return [...paragraph(about), '', ...list.flat(), '', ...keys]
}

function units(): readonly string[] {
  const { anyOf } = DEFINITIONS.Unit as { readonly anyOf: readonly { readonly description: string }[] }
  const figures = UNITS.map((unit, i) => `${unit}: ${firstSentence(anyOf[i]?.description ?? '').toLowerCase()}`)
  return [
    ...paragraph(
      'Times are in ns since the first event of the trace, sectors are 512 bytes, shares 0 to 1, rates per ' +
        'second. A key says its unit: _ns, _bps (bytes per second), _bytes, _share, _sectors. The unit of a ' +
        'figure of compare and builds is beside it:',
    ),
    ...paragraph(`${figures.join('; ')}.`, '  '),
  ]
}

const findings = (): readonly string[] => [
  ...paragraph('Codes are stable; --fail-if takes those of comparisons. The sentence of a finding has its figures.'),
  ...paragraph(`Of a comparison: ${FINDING_CODES.join(', ')}.`, '  '),
  ...paragraph(`Of a run by itself: ${RUN_FINDING_CODES.join(', ')}.`, '  '),
]

/** The page: ASCII, 80 columns. */
export function guide(): string {
  const paths = topic('Paths')?.text ?? []
  const messages = topic('Messages')?.text ?? []
  const exits = (topic('Exit status')?.terms ?? []).flatMap(([status, text]) => item(status, text, 6))
  return [
    `${NAME} ${version}: a guide for scripts and language models`,
    '',
    ...paragraph(
      `${TAGLINE}. It reads recordings of block I/O (blktrace, ftrace, perf, trace-cmd and others) and says ` +
        'what two runs did differently to the same disk, whether that exceeds noise, and why. Everything runs on ' +
        `this machine. '${NAME} COMMAND --help' has the options of a command.`,
    ),
    '',
    ...section(
      'Inputs',
      [...paths, ...messages.slice(0, 1)].flatMap(text => paragraph(text)),
    ),
    ...section(
      'Commands by question',
      QUESTIONS.flatMap(({ question, lines, answer }, i) => [
        ...(i > 0 ? [''] : []),
        question,
        ...lines.map(line => `  ${line}`),
        ...paragraph(answer, '    '),
      ]),
    ),
    ...section('Documents', documents()),
    ...section('Units', units()),
    ...section('Findings', findings()),
    ...section('Exit status', exits),
    ...section(
      'What a figure does not mean',
      TRAPS.flatMap(trap =>
        wrapped(asciiText(trap), WIDTH - 2).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)),
      ),
    ),
    ...section(
      'Recipes',
      RECIPES.flatMap(({ what, lines }) => [`# ${what}`, ...lines]),
    ),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

export const printGuide = (): Promise<void> => print(guide())
