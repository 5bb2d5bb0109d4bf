import { engineCrashed, isEngineError, isTrap } from '../../web/engine/errors'
import { commandSpec } from '../commands'
import { systemCode } from '../input/find/system'
import { print, ReaderGone } from '../output/output'
import { complainOf, endComplaints, say } from '../output/progress'
import { helpFor, type Invocation, parse } from './program'
import { SetupError, UsageError } from './usage'

const TRAPPED =
  'Usually memory ran out: read a part with --range, or fewer traces at once. If it happens again, please report it with the trace.'

async function invoke(invocation: Invocation, argv: readonly string[]): Promise<void> {
  if ('print' in invocation) return print(invocation.print)
  const { command, operands, values } = invocation
  await commandSpec(command).run({ operands, values, argv })
}

/**
 * Answers go to standard output, messages to standard error; the exit status is that of the process. A reader that
 * has enough of the answer (head, less) is no error.
 * @param argv without node and script
 */
export async function execute(argv: readonly string[]): Promise<void> {
  try {
    await invoke(parse(argv), argv)
  } catch (error) {
    if (error instanceof ReaderGone) return
    if (error instanceof UsageError) {
      say(error.message)
      process.stderr.write(`Try '${helpFor(argv)}'.\n`)
      process.exitCode = 2
    } else if (isEngineError(error)) complainOf('', error)
    else if (isTrap(error)) complainOf('', { ...engineCrashed(error), remedy: TRAPPED })
    else if (error instanceof SetupError || systemCode(error) !== undefined) {
      say(error instanceof Error ? error.message : String(error))
      process.exitCode = 1
    } else throw error
  } finally {
    endComplaints()
  }
}
