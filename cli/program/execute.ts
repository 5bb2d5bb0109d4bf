import { inspect } from 'node:util'
import { engineCrashed, isEngineError, isTrap } from '../../web/engine/errors'
import { commandSpec } from '../commands'
import { systemCode } from '../input/find/system'
import { print, ReaderGone } from '../output/output'
import { complainOf, endComplaints, say } from '../output/progress'
import { failureOf, helpFor, type Invocation, parse } from './program'
import { SetupError, UsageError } from './usage'

const TRAPPED =
  'Usually memory ran out: read a part with --range, or fewer traces at once. If it happens again, please ' +
  'report it with the trace.'

async function invoke(invocation: Invocation, argv: readonly string[]): Promise<void> {
  if ('print' in invocation) return print(invocation.print)
  const { command, operands, values } = invocation
  await commandSpec(command).run({ operands, values, argv })
}

/** Reports an error, and returns the exit status of most commands; undefined for one that is a bug. */
function reported(error: unknown, argv: readonly string[]): number | undefined {
  if (error instanceof UsageError) {
    say(error.message)
    process.stderr.write(`Try '${helpFor(argv)}'.\n`)
    return 2
  }
  if (isEngineError(error)) complainOf('', error)
  else if (isTrap(error)) complainOf('', { ...engineCrashed(error), remedy: TRAPPED })
  else if (error instanceof SetupError || systemCode(error) !== undefined)
    say(error instanceof Error ? error.message : String(error))
  else return undefined
  return 1
}

/**
 * Answers go to standard output, messages to standard error; the exit status is that of the process. A reader that
 * has enough of the answer (head, less) is no error.
 * @param argv without node and script
 */
export async function execute(argv: readonly string[]): Promise<void> {
  const failure = failureOf(argv)
  try {
    await invoke(parse(argv), argv)
  } catch (error) {
    if (error instanceof ReaderGone) return
    const status = reported(error, argv)
    if (status === undefined) {
      // Node would end with 1, which is an answer of a command with a status of its own for errors.
      if (failure === undefined) throw error
      process.stderr.write(`${inspect(error)}\n`)
    }
    process.exitCode = failure ?? status
  } finally {
    endComplaints()
  }
}
