/**
 * Shell completion scripts, made from the table of commands. They need nothing but the shell: Node is not started while
 * typing.
 */
import { COMMAND_NAMES, type CommandName, commandSpec, operandWords, optionsOf, passedFlags } from '../commands'
import { NAME } from './about'
import type { OptionSpec } from './options'
import { UsageError } from './usage'

const HELP: OptionSpec & { readonly name: string } = { name: 'help', short: 'h', help: 'print this help' }
type NamedOption = OptionSpec & { readonly name: string }

const flags = ({ name, short }: NamedOption): string[] => [...(short ? [`-${short}`] : []), `--${name}`]
const allOptions = (name: CommandName): readonly NamedOption[] => [...optionsOf(name), HELP]
const words = (name: CommandName): readonly string[] | undefined => operandWords(commandSpec(name))
/** Options with a value that is no file and has no choices: nothing to complete. */
const hasFreeValue = ({ value, file, choices }: NamedOption): boolean => value !== undefined && !file && !choices

function bash(): string {
  const cases = COMMAND_NAMES.map(name => {
    const options = allOptions(name)
    const free = options.filter(hasFreeValue).flatMap(flags)
    const lines = [
      ...(free.length > 0 ? [`        ${free.join('|')}) return ;;`] : []),
      ...options.flatMap(option =>
        option.choices
          ? [
              `        ${flags(option).join('|')}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$cur")); return ;;`,
            ]
          : [],
      ),
    ]
    const previous = lines.length > 0 ? ['      case $prev in', ...lines, '      esac'] : []
    return [
      `    ${name})`,
      ...previous,
      `      options='${[...passedFlags(commandSpec(name)), ...options.flatMap(flags)].join(' ')}'`,
      ...(words(name) ? [`      operands='${words(name)?.join(' ')}'`] : []),
      '      ;;',
    ].join('\n')
  })
  return `# bash completion for ${NAME}
_${NAME}() {
  local cur prev command options operands i
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${COMMAND_NAMES.join('|')}) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command in
${cases.join('\n')}
    *)
      options='--help --version'
      operands='${COMMAND_NAMES.join(' ')} help'
      ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $operands ]]; then
    COMPREPLY=($(compgen -W "$operands" -- "$cur"))
  else
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -F _${NAME} ${NAME}
`
}

/** Inside single quotes of zsh's _arguments: brackets and colons have a meaning. */
const zshText = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''")

function zsh(): string {
  const cases = COMMAND_NAMES.map(name => {
    const options = allOptions(name).flatMap(option => {
      const action = option.choices ? `(${option.choices.join(' ')})` : option.file ? '_files' : ''
      const value = option.value ? `:${option.value.replaceAll(':', '\\:')}:${action}` : ''
      return flags(option).map(flag => `      '${option.repeat ? '*' : ''}${flag}[${zshText(option.help)}]${value}' \\`)
    })
    const operands = words(name)
    const passed = (commandSpec(name).passed ?? []).map(
      ([term, help]) => `      '*${term.split(' ', 1)[0]}[${zshText(help)}]' \\`,
    )
    const rest = operands
      ? [`      '1:word:(${operands.join(' ')})'`]
      : commandSpec(name).operands
        ? ["      '*:path:_files'"]
        : ["      '*: :'"]
    return [`    ${name}) _arguments \\`, ...passed, ...options, ...rest, '      ;;'].join('\n')
  })
  return `#compdef ${NAME}
_${NAME}() {
  local -a commands
  commands=(
${COMMAND_NAMES.map(name => `    '${name}:${zshText(commandSpec(name).summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[print this help]' '--version[print the version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _${NAME} ]]; then _${NAME} "$@"; else compdef _${NAME} ${NAME}; fi
`
}

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fish(): string {
  const top = `complete -c ${NAME} -n __fish_use_subcommand`
  const lines = COMMAND_NAMES.flatMap(name => {
    const within = `complete -c ${NAME} -n '__fish_seen_subcommand_from ${name}'`
    const options = allOptions(name).map(option => {
      const value = option.choices
        ? ` -x -a ${fishText(option.choices.join(' '))}`
        : option.value
          ? option.file
            ? ' -r'
            : ' -x'
          : ''
      return `${within}${option.short ? ` -s ${option.short}` : ''} -l ${option.name} -d ${fishText(option.help)}${value}`
    })
    const operands = words(name)
    return [
      `${top} -f -a ${name} -d ${fishText(commandSpec(name).summary)}`,
      ...options,
      ...(commandSpec(name).passed ?? []).map(([term, help]) => {
        const flag = term.split(' ', 1)[0] ?? term
        return `${within} ${flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`} -d ${fishText(help)}`
      }),
      ...(operands ? [`${within} -f -a ${fishText(operands.join(' '))}`] : []),
    ]
  })
  return ['# fish completion for seekscope', `${top} -l version -s V -d 'print the version'`, ...lines, ''].join('\n')
}

const SHELLS = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
])

/** The completion script for a shell. Throws UsageError. */
export function completion(shell: string): string {
  const write = SHELLS.get(shell)
  if (!write) throw new UsageError(`completion: ${shell} is not one of ${[...SHELLS.keys()].join(', ')}`)
  return write()
}
