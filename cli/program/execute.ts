import { engineCrashed, isEngineError, isTrap } from '../../web/engine/errors'
import { buildsGiven } from '../builds/values'
import { systemCode } from '../input/system'
import { print, ReaderGone } from '../output/output'
import { complainOf, endComplaints, say } from '../output/progress'
import { plotGiven } from '../plot/values'
import { annotationsGiven } from '../sharing/annotate'
import { helpFor, type Invocation, parse } from './program'
import { SetupError, UsageError } from './usage'
import * as given from './values'

const TRAPPED =
  'Usually memory ran out: read a part with --range, or fewer traces at once. If it happens again, please report it with the trace.'

/** Each command is loaded when it runs: `--help` starts without the engine. */
async function invoke(invocation: Invocation, argv: readonly string[]): Promise<void> {
  if ('print' in invocation) {
    return print(invocation.print)
  }
  const { command, operands, values } = invocation
  if (command === 'man') {
    return print((await import('./manual')).manual())
  }
  if (command === 'record') {
    process.exitCode = await (await import('../sharing/record')).record(operands)
    return
  }
  if (command === 'completion') {
    return print((await import('./completion')).completion(operands[0] ?? ''))
  }
  if (command === 'open') {
    const options = {
      port: given.portGiven(values),
      follow: values.follow ?? false,
      browser: !values['no-browser'],
      ...given.rangeGiven(values),
    }
    await (await import('../sharing/open')).open(operands, options)
    return
  }
  if (command === 'fleet') {
    const { isFolderOutput } = await import('../fleet/results')
    const output = given.tableGiven(given.required(command, values.output, '-o FILE.parquet'), isFolderOutput)
    await (await import('../fleet/fleet')).fleet(operands[0] ?? '', { ...given.fleetGiven(values), output })
    return
  }
  if (command === 'movie') {
    const output = given.required(command, values.output, '-o FILE.webm')
    await (await import('../sharing/movie')).movie(operands, {
      output,
      ...given.movieGiven(values),
      ...given.rangeGiven(values),
    })
    return
  }
  if (command === 'builds') {
    const { selection, options } = buildsGiven(values)
    await (await import('../builds/builds')).builds(selection, options)
    return
  }
  const inputs = given.inputsGiven(operands, values, argv)
  if (command === 'summary') {
    const options = { json: values.json ?? false, ...given.geometryGiven(values), ...given.rangeGiven(values) }
    await (await import('../output/figures')).summary(inputs, options)
  } else if (command === 'top') {
    await (await import('../live/top')).top(inputs, given.topGiven(values))
  } else if (command === 'blkparse') {
    given.exclude(values, 'summary-only', 'messages')
    const options = { summaryOnly: values['summary-only'] ?? false, messages: values.messages ?? false }
    await (await import('../output/figures')).blkparse(inputs, options)
  } else if (command === 'btt') {
    await (await import('../output/figures')).btt(inputs, values.all ?? false)
  } else if (command === 'compare') {
    const arrangement = given.arrangementGiven(values)
    const options = {
      ...given.comparingGiven(values),
      ...given.noiseGiven(values),
      ...given.digestsGiven(operands, values),
    }
    await (await import('../output/compare')).compare(inputs, arrangement, options)
  } else if (command === 'noise') {
    await (await import('../output/noise')).noise(inputs, {
      json: values.json ?? false,
      ...given.geometryGiven(values),
    })
  } else if (command === 'digest') {
    const { output } = values
    const options = {
      format: given.digestFormat(values),
      ...given.geometryGiven(values),
      ...(output !== undefined && { output }),
    }
    await (await import('../fleet/digest')).digest(inputs, options)
  } else if (command === 'requests') {
    const { output } = values
    const options = {
      format: given.requestFormat(values),
      raw: values.raw ?? false,
      ...given.geometryGiven(values),
      ...given.rangeGiven(values),
    }
    await (await import('../output/requests')).requests(inputs, { ...options, ...(output !== undefined && { output }) })
  } else if (command === 'plot') {
    const options = plotGiven(values, { env: process.env, terminal: process.stdout.isTTY === true })
    await (await import('../plot/plot')).plot(inputs, options)
  } else if (command === 'replay') {
    await (await import('../output/replay')).replay(inputs, given.replayGiven(values))
  } else {
    const annotations = annotationsGiven(values)
    const shared = {
      ...given.arrangementGiven(values),
      annotations,
      names: values.names ?? false,
      files: values.files ?? false,
    }
    if (command === 'link') {
      const options = { ...shared, size: given.sizeGiven(values), base: given.baseGiven(values) }
      await (await import('../sharing/share')).link(inputs, options)
    } else {
      const { title } = values
      const options = { ...shared, output: given.required(command, values.output, '-o FILE.html') }
      await (await import('../sharing/share')).report(inputs, { ...options, ...(title !== undefined && { title }) })
    }
  }
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
