/** The manual page and the tables of docs/guide/command-line.md, made from the table of commands. */

import { version } from '../../package.json'
import { capitalized } from '../../web/lib/text/capitalized'
import { COMMAND_NAMES, commandSpec, operandsText, optionsOf, optionTerm } from '../commands'
import type { CommandGroup } from '../commands/shared/definition'
import { NAME, TAGLINE, TOPICS } from './about'
import { usageOf } from './program'

/** Text in roff: backslashes and hyphens escaped, no line that begins with a control character. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')

/** Quotes an argument of a roff macro. */
const quoted = (text: string): string => `"${roff(text).replaceAll('"', '\\(dq')}"`

const term = (name: string, text: string): string => ['.TP', `.B ${quoted(name)}`, roff(text)].join('\n')
const section = (title: string, ...body: readonly string[]): string =>
  [`.SH ${quoted(title.toUpperCase())}`, ...body].join('\n')
const example = (text: string): string => ['.nf', roff(text), '.fi'].join('\n')

/** Usage with the words to type in bold and the words to replace in italics. */
function usageRoff(usage: string): string {
  const words = usage.split(' ').map(word => {
    const [, open = '', name = '', close = ''] = /^(\[?)(.*?)((?:\.\.\.|\])*)$/.exec(word) ?? []
    return `${roff(open)}${/^[A-Z:0-9]+$/.test(name) ? `\\fI${name}\\fR` : `\\fB${roff(name)}\\fR`}${roff(close)}`
  })
  return words.join(' ')
}

function commandSection(name: (typeof COMMAND_NAMES)[number]): string {
  const spec = commandSpec(name)
  const [first, ...more] = [`${spec.summary}.`, ...spec.about]
  return [
    `.SS ${quoted(name)}`,
    usageRoff(usageOf(name)),
    '.PP',
    roff(first ?? ''),
    ...more.flatMap(text => ['.PP', roff(text)]),
    ...(spec.passed ?? []).map(([name, text]) => term(name, `${capitalized(text)}.`)),
    ...optionsOf(name).map(option => term(optionTerm(option), `${capitalized(option.help)}.`)),
  ].join('\n')
}

/** The page in man(7) macros. It has no date, so that a build gives the same bytes on every day. */
export function manual(): string {
  const topics = TOPICS.map(({ title, text, terms = [] }) =>
    section(
      title,
      ...text.map(roff).join('\n.PP\n').split('\n').filter(Boolean),
      ...terms.map(([name, words]) => term(name, words)),
    ),
  )
  const examples = COMMAND_NAMES.filter(name => commandSpec(name).group !== 'Help').flatMap(
    name => commandSpec(name).examples,
  )
  return `${[
    `.TH ${NAME.toUpperCase()} 1 "" ${quoted(`${NAME} ${version}`)} "User Commands"`,
    section('Name', `${NAME} \\- ${roff(TAGLINE)}`),
    section(
      'Synopsis',
      COMMAND_NAMES.map(name => usageRoff(usageOf(name))).join('\n.br\n'),
      '.br',
      `\\fB${NAME}\\fR [\\fICOMMAND\\fR] \\fB\\-\\-help\\fR | \\fB${NAME}\\fR \\fB\\-\\-version\\fR`,
    ),
    section(
      'Description',
      roff(
        `${NAME} reads recordings of blktrace and of other block layer tracers and prints figures, compares ` +
          'runs, and shares comparisons. It runs the same engine as the page; nothing is uploaded.',
      ),
    ),
    section('Commands', ...COMMAND_NAMES.map(commandSection)),
    ...topics,
    section('Examples', ...examples.map(text => example(`${NAME} ${text}`))),
    section('See also', '.BR blktrace (8),', '.BR blkparse (1),', '.BR btt (1)'),
  ].join('\n')}\n`
}

const GROUPS: readonly CommandGroup[] = ['Recording', 'Figures', 'Sharing', 'Native formats', 'For scripts', 'Help']

/** Commands and their options as Markdown tables, for docs/guide/command-line.md. */
export function reference(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const commands = GROUPS.flatMap(group => COMMAND_NAMES.filter(name => commandSpec(name).group === group)).map(
    name =>
      `| \`${cell(`${name} ${operandsText(commandSpec(name))}`.trimEnd())}\` | ${cell(commandSpec(name).summary)} |`,
  )
  const rows = new Map<string, string[]>()
  for (const name of COMMAND_NAMES) {
    for (const [term, help] of commandSpec(name).passed ?? [])
      rows.set(`| \`${cell(term)}\` | % | ${cell(help)} |`, [name])
    for (const option of optionsOf(name)) {
      const row = `| \`${cell(optionTerm(option))}\` | % | ${cell(option.help)} |`
      rows.set(row, [...(rows.get(row) ?? []), name])
    }
  }
  const reading = COMMAND_NAMES.filter(name => optionsOf(name).some(option => option.name === 'no-limits'))
  const options = [...rows].map(([row, names]) =>
    row.replace('%', names.length === reading.length ? 'all that read traces' : names.join(', ')),
  )
  return [
    '| command | effect |',
    '|---|---|',
    ...commands,
    '',
    '| option | commands | effect |',
    '|---|---|---|',
    ...options,
  ].join('\n')
}
