/** All commands, in the order of `--help`. */
import { type OptionName, type OptionSpec, optionSpec } from '../program/options'
import { bisect } from './bisect'
import { builds } from './builds'
import { compare } from './compare'
import { completion } from './completion'
import { digest } from './digest'
import { fleet } from './fleet'
import { link } from './link'
import { man } from './man'
import { movie } from './movie'
import { blkparse } from './native/blkparse'
import { btt } from './native/btt'
import { replay } from './native/replay'
import { noise } from './noise'
import { open } from './open'
import { plot } from './plot'
import { publish } from './publish'
import { record } from './record'
import { report } from './report'
import { requests } from './requests'
import { guide } from './scripts/guide'
import { schema } from './scripts/schema'
import { serve } from './scripts/serve'
import type { CommandDefinition, CommandSpec } from './shared/definition'
import { summary } from './summary'
import { top } from './top'

export const COMMANDS = {
  record,
  summary,
  compare,
  top,
  noise,
  plot,
  requests,
  digest,
  fleet,
  builds,
  bisect,
  link,
  report,
  publish,
  open,
  movie,
  blkparse,
  btt,
  replay,
  guide,
  schema,
  serve,
  completion,
  man,
} as const satisfies Readonly<Record<string, CommandDefinition>>

export type CommandName = keyof typeof COMMANDS

export const commandSpec = (name: CommandName): CommandDefinition => COMMANDS[name]
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]

/** Options of a command, each with the help that holds for it. */
export const optionsOf = (name: CommandName): readonly (OptionSpec & { readonly name: OptionName })[] =>
  commandSpec(name).options.map(entry => {
    const [option, help, kind] = typeof entry === 'string' ? [entry] : entry
    const spec = optionSpec(option)
    const named = { name: option, help: help ?? spec.help }
    return kind === 'switch' ? named : { ...spec, ...named }
  })

const OPERANDS = {
  paths: 'PATH...',
  'optional-paths': '[PATH]...',
  folder: 'FOLDER',
  passed: '[OPTION]...',
  command: '[-- COMMAND...]',
} as const

/** The operands of a command as text for its usage line. */
export function operandsText({ operands }: CommandSpec): string {
  if (operands === undefined) return ''
  if (typeof operands === 'string') return OPERANDS[operands]
  return 'words' in operands ? `[${operands.name}]` : operands.join('|')
}

/** The words that the operand of a command is one of. */
export function operandWords({ operands }: CommandSpec): readonly string[] | undefined {
  if (operands === undefined || typeof operands === 'string') return undefined
  return 'words' in operands ? operands.words : operands
}

/** Flags of the options that a command passes on: `--ab`. */
export const passedFlags = ({ passed = [] }: CommandSpec): readonly string[] =>
  passed.map(([term]) => term.split(' ', 1)[0] ?? term)

/** `-o, --output FILE`. */
export const optionTerm = ({ name, short, value }: OptionSpec & { readonly name: string }): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`
