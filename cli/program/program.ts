/** The parser, made from the table of commands. */
import { Command, CommanderError, Help, type Option } from 'commander'
import { version } from '../../package.json'
import {
  COMMAND_NAMES,
  COMMANDS,
  type CommandName,
  commandSpec,
  operandsText,
  optionsOf,
  optionTerm,
} from '../commands'
import { NAME, TAGLINE, TOPICS } from './about'
import { OPTIONS, type OptionName, type OptionValues, optionSpec } from './options'
import { UsageError } from './usage'

/** What the command line requests: text to print, or a command to run. */
export type Invocation =
  | { readonly print: string }
  | { readonly command: CommandName; readonly operands: readonly string[]; readonly values: OptionValues }

const WIDTH = 80

/**
 * Commander's help in the notation of man pages: `PATH...` and `--stripe SPEC` instead of `<path...>` and `--stripe
 * <SPEC>`.
 */
class TableHelp extends Help {
  override helpWidth = Math.min(WIDTH, process.stdout.columns ?? WIDTH)
  override subcommandTerm(command: Command): string {
    const name = command.name()
    return isCommand(name) ? `${name} ${operandsText(commandSpec(name))}`.trimEnd() : 'help COMMAND'
  }
  override optionTerm(option: Option): string {
    return option.flags.replace(/[<>]/g, '')
  }
  override commandUsage(command: Command): string {
    return command.parent ? usageOf(command.name() as CommandName) : `${NAME} COMMAND [OPTION]... [PATH]...`
  }
  override visibleArguments() {
    return []
  }
}

/** `seekscope report [OPTION]... -o FILE PATH...`. */
export function usageOf(name: CommandName): string {
  const spec = commandSpec(name)
  const required = (spec.required ?? []).map(option => {
    const { short, value } = optionSpec(option)
    return `${short ? `-${short}` : `--${option}`} ${value}`
  })
  return [NAME, name, ...(spec.options.length > 0 ? ['[OPTION]...'] : []), ...required, operandsText(spec)]
    .filter(Boolean)
    .join(' ')
}

const examplesOf = (name: CommandName): string =>
  ['', 'Examples:', ...commandSpec(name).examples.map(example => `  ${NAME} ${example}`)].join('\n')

/** A topic as `--help` shows it. */
function topicText(title: string): string {
  const topic = TOPICS.find(t => t.title === title)
  if (!topic) return ''
  const help = new TableHelp()
  const terms = (topic.terms ?? []).map(([term, text]) => help.formatItem(term, 14, text, help))
  return [
    '',
    `${title}:`,
    ...topic.text.map(text => `  ${help.boxWrap(text, WIDTH - 2).replaceAll('\n', '\n  ')}`),
    ...terms,
  ].join('\n')
}

/** Options that are passed on, in the form of the others. */
function passedText(name: CommandName): string {
  const help = new TableHelp()
  const { passed = [] } = commandSpec(name)
  const width = Math.max(...passed.map(([term]) => term.length))
  return passed.map(([term, text]) => `\n${help.formatItem(term, width, text, help)}`).join('')
}

function createProgram(
  chosen: (name: CommandName, operands: readonly string[], values: OptionValues) => void,
  print: (text: string) => void,
): Command {
  const program = new Command(NAME)
  const silent = (command: Command) =>
    Object.assign(command, { createHelp: () => new TableHelp() })
      .exitOverride()
      .configureOutput({ writeOut: print, writeErr: () => undefined })
      .helpOption('-h, --help', 'print this help')
  silent(program)
    .description(TAGLINE)
    .version(version, '-V, --version', 'print the version')
    .commandsGroup('Help:')
    .helpCommand('help [COMMAND]', 'Print the help of a command')
    .addHelpText(
      'after',
      `${topicText('Paths')}\n\nRun '${NAME} COMMAND --help' for the options of a command,\n'${NAME} man | man -l -' for the manual.`,
    )
  for (const name of COMMAND_NAMES) {
    const spec = commandSpec(name)
    const command = silent(program.command(name)).summary(spec.summary).helpGroup(`${spec.group}:`)
    command.description([`${spec.summary}.`, ...spec.about].join('\n\n'))
    for (const option of optionsOf(name)) {
      const { value, repeat, help } = option
      const term = value ? optionTerm(option).replace(value, `<${value}>`) : optionTerm(option)
      if (repeat) command.option(term, help, (text: string, before: readonly string[] = []) => [...before, text])
      else command.option(term, help)
    }
    if (spec.operands === 'passed') command.argument('[ARGUMENT...]').addHelpText('after', passedText(name))
    else if (spec.operands === 'paths') command.argument('<PATH...>')
    else if (spec.operands === 'command') command.argument('[COMMAND...]')
    else if (spec.operands === 'optional-paths') command.argument('[PATH...]')
    else if (spec.operands === 'folder') command.argument('<FOLDER>')
    else if (spec.operands && 'words' in spec.operands) command.argument(`[${spec.operands.name}]`)
    else if (spec.operands) command.argument(`<${spec.operands.join('|')}>`)
    const usesStripes = optionsOf(name).some(option => option.name === 'stripe')
    command.addHelpText('after', [...(usesStripes ? [topicText('Stripe geometry')] : []), examplesOf(name)].join('\n'))
    command.action((...args: readonly unknown[]) => {
      const operand = (spec.operands && args[0]) ?? []
      chosen(name, Array.isArray(operand) ? operand : [String(operand)], valuesOf(command))
    })
  }
  return program
}

/**
 * Commander writes `--no-browser` as `browser: false` and `--summary-only` as `summaryOnly`; the table's names are
 * kept.
 */
function valuesOf(command: Command): OptionValues {
  const values: Partial<Record<OptionName, unknown>> = {}
  for (const { name } of optionsOf(command.name() as CommandName)) {
    const declared = command.options.find(option => option.long === `--${name}`)
    const value = declared && command.getOptionValue(declared.attributeName())
    if (declared?.negate ? value === false : value !== undefined) values[name] = declared?.negate ? true : value
  }
  return values as OptionValues
}

const isCommand = (text: string | undefined): text is CommandName => text !== undefined && Object.hasOwn(COMMANDS, text)

/** Commander's error in this project's words. */
function usageMessage({ code, message }: CommanderError, command: CommandName | undefined): string {
  const quoted = /'([^']+)'/.exec(message)?.[1] ?? ''
  const flag = quoted.split(/[ =,]/, 1)[0] ?? ''
  const nearest = /Did you mean (?:one of )?(.+)\?/.exec(message)?.[1]
  const hint = nearest ? `; did you mean ${nearest}?` : ''
  if (code === 'commander.unknownCommand') return `unknown command ${quoted}${hint}`
  if (code === 'commander.unknownOption') {
    if (command && Object.hasOwn(OPTIONS, flag.replace(/^--/, ''))) return `${flag} is not valid for ${command}`
    return `unknown option ${flag}${hint}`
  }
  if (code === 'commander.optionMissingArgument') {
    const [, long = '', value = ''] = /(--[\w-]+) <([^>]+)>/.exec(quoted) ?? []
    return `${long} needs a value: ${long} ${value}`
  }
  if (code === 'commander.missingArgument') return `missing ${quoted.replace('...', '') || 'argument'}`
  if (code === 'commander.excessArguments') return `too many arguments for ${command ?? NAME}`
  return message.replace(/^error: /, '')
}

/** @param argv without node and script. Throws UsageError. */
export function parse(argv: readonly string[]): Invocation {
  if (argv.length === 0) throw new UsageError('missing command')
  const [first, ...rest] = argv
  // The other program has its own --help.
  if (isCommand(first) && commandSpec(first).operands === 'passed')
    return { command: first, operands: rest, values: {} }
  let [printed, chosen]: [string, Invocation | undefined] = ['', undefined]
  const program = createProgram(
    (command, operands, values) => {
      chosen = { command, operands, values }
    },
    text => {
      printed += text
    },
  )
  try {
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { print: printed }
    const command = argv.find(isCommand)
    throw new UsageError(usageMessage(error, command))
  }
  if (!chosen) throw new UsageError('missing command')
  return chosen
}

/** Exit status of all errors of the command, if it has one of its own. */
export const failureOf = ([first]: readonly string[]): number | undefined =>
  isCommand(first) ? commandSpec(first).failure : undefined

/** Where the options of the failed command are listed. */
export const helpFor = (argv: readonly string[]): string =>
  [NAME, argv.find(isCommand), '--help'].filter(Boolean).join(' ')
