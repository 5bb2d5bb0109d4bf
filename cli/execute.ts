import { helpFor, type Invocation, parse } from './program'
import { endComplaints, say } from './progress'
import { SetupError, UsageError } from './usage'
import * as given from './values'

/** Each command is loaded when it runs: `--help` starts without the engine. */
async function invoke(invocation: Invocation, argv: readonly string[]): Promise<void> {
  if ('print' in invocation) {
    process.stdout.write(invocation.print)
    return
  }
  const { command, operands, values } = invocation
  if (command === 'man') {
    process.stdout.write((await import('./manual')).manual())
    return
  }
  if (command === 'completion') {
    process.stdout.write((await import('./completion')).completion(operands[0] ?? ''))
    return
  }
  if (command === 'open') {
    const options = { port: given.portGiven(values), browser: !values['no-browser'], ...given.rangeGiven(values) }
    await (await import('./open')).open(operands, options)
    return
  }
  const inputs = given.inputsGiven(operands, values, argv)
  if (command === 'summary') {
    const options = { json: values.json ?? false, ...given.geometryGiven(values), ...given.rangeGiven(values) }
    await (await import('./figures')).summary(inputs, options)
  } else if (command === 'blkparse') {
    given.exclude(values, 'summary-only', 'messages')
    const options = { summaryOnly: values['summary-only'] ?? false, messages: values.messages ?? false }
    await (await import('./figures')).blkparse(inputs, options)
  } else if (command === 'btt') {
    await (await import('./figures')).btt(inputs, values.all ?? false)
  } else if (command === 'compare') {
    const arrangement = given.arrangementGiven(values)
    const options = { ...given.comparingGiven(values), ...given.noiseGiven(values) }
    await (await import('./compare')).compare(inputs, arrangement, options)
  } else if (command === 'noise') {
    await (await import('./noise')).noise(inputs, { json: values.json ?? false, ...given.geometryGiven(values) })
  } else if (command === 'requests') {
    const { output } = values
    const options = { format: given.requestFormat(values), ...given.geometryGiven(values), ...given.rangeGiven(values) }
    await (await import('./requests')).requests(inputs, { ...options, ...(output !== undefined && { output }) })
  } else if (command === 'replay') {
    await (await import('./replay')).replay(inputs, given.replayGiven(values))
  } else {
    const shared = { ...given.arrangementGiven(values), names: values.names ?? false, files: values.files ?? false }
    if (command === 'link') {
      const options = { ...shared, size: given.sizeGiven(values), base: given.baseGiven(values) }
      await (await import('./share')).link(inputs, options)
    } else {
      const { title } = values
      const options = { ...shared, output: given.required(command, values.output, '-o FILE.html') }
      await (await import('./share')).report(inputs, { ...options, ...(title !== undefined && { title }) })
    }
  }
}

/** `open --port` named a port that is in use. */
const isPortError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && error.syscall === 'listen'

/** @param argv without node and script. Answers go to standard output, messages to standard error; the exit status is that of the process. */
export async function execute(argv: readonly string[]): Promise<void> {
  try {
    await invoke(parse(argv), argv)
  } catch (error) {
    if (error instanceof UsageError) {
      say(error.message)
      process.stderr.write(`Try '${helpFor(argv)}'.\n`)
      process.exitCode = 2
    } else if (error instanceof SetupError || isPortError(error)) {
      say(error.message)
      process.exitCode = 1
    } else throw error
  } finally {
    endComplaints()
  }
}
