/**
 * A command: a row of the table that the parser, `--help`, the errors, the man page, the shell completion and the table
 * in docs/guide/command-line.md are made from, and what it does.
 */
import type { OptionName, OptionValues } from '../../program/options'

export type CommandGroup = 'Recording' | 'Figures' | 'Sharing' | 'Native formats' | 'For scripts' | 'Help'

/** An operand that may be left out. */
interface OptionalWord {
  readonly name: string
  readonly words: readonly string[]
}

export interface CommandSpec {
  readonly group: CommandGroup
  /** One line. */
  readonly summary: string
  /** Paragraphs for `--help` and the man page. */
  readonly about: readonly string[]
  /**
   * `paths`: one or more PATH arguments; `optional-paths`: or none; `folder`: one directory; `passed`: all arguments
   * are those of another program; `command`: a command to run, with its arguments; a list: one of these words; with a
   * name: one of them, or none.
   */
  readonly operands?: 'paths' | 'optional-paths' | 'folder' | 'passed' | 'command' | readonly string[] | OptionalWord
  /** Options of that program: what to write, and the help. */
  readonly passed?: readonly (readonly [string, string])[]
  /** A name, or a name and the help that replaces the option's own; `switch`: here it takes no value. */
  readonly options: readonly (OptionName | readonly [OptionName, string, 'switch'?])[]
  readonly required?: readonly OptionName[]
  /**
   * Exit status of wrong usage and of all errors, for a command whose status 1 and 2 are answers; absent: 2 and 1, as
   * for the other commands.
   */
  readonly failure?: number
  /** Arguments after `seekscope`. */
  readonly examples: readonly string[]
}

/** One call of a command, parsed and not yet checked. */
interface CommandCall {
  readonly operands: readonly string[]
  readonly values: OptionValues
  /** The arguments of the program, for messages that show the command again. */
  readonly argv: readonly string[]
}

export interface CommandDefinition extends CommandSpec {
  /**
   * Checks the values, and then loads what it needs: `--help` and wrong usage start without the engine. Throws
   * UsageError.
   */
  run(call: CommandCall): Promise<void>
}
