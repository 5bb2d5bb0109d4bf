/** `seekscope plot`: charts as text in the terminal, or as one SVG or PNG. */
import type { Layer, ResultsDocument } from '../../web/engine/protocol'
import { LETTERS } from '../../web/link/view'
import { type OpenRun, openRuns } from '../input/openRuns'
import type { FoundResults } from '../output/figures/results'
import { type OutputTarget, outputTarget, printStyled } from '../output/output'
import { complain, say } from '../output/progress'
import { styledText } from '../output/styled'
import { UsageError } from '../program/usage'
import type { RunArrangement, TimeLimits, TraceInputs } from '../program/values'
import { chartText } from './charts'
import { plotFrame } from './frame'
import { type PlotName, USUAL } from './names'
import { chartLines } from './text/block'
import type { Screen, StyledLine } from './text/screen'

export interface PlotOptions extends Omit<RunArrangement, 'baseline' | 'groups' | 'ungrouped'> {
  readonly charts: readonly PlotName[]
  readonly range?: TimeLimits
  /** Colours of the seek map of a picture; absent: those of the page. */
  readonly layer?: Layer
  readonly screen: Screen
  /** A picture instead of text. */
  readonly picture?: { readonly format: 'svg' | 'png'; readonly dark: boolean }
  readonly output?: string
}

/** Throws UsageError where a trace lacks the device that was named. */
function checkDevice(open: readonly OpenRun[], device: string): void {
  for (const { run } of open) {
    if (run.device !== undefined) continue
    const names = run.info.devices.filter(d => d.requests > 0).map(d => d.name)
    throw new UsageError(`--device: ${run.label} has no device ${device} with requests; it has ${names.join(', ')}`)
  }
}

/** Throws UsageError where an option is about traces: results have no time and no device. */
function checkForResults({ charts, range, device }: Pick<PlotOptions, 'charts' | 'range' | 'device'>): void {
  const option = charts !== USUAL ? '--chart' : range ? '--range' : device === undefined ? undefined : '--device'
  if (option) throw new UsageError(`${option} is for traces; these files have only results of benchmarks`)
}

/** Draws results without a trace. */
async function plotResults(
  document: ResultsDocument,
  { screen, picture, output }: Pick<PlotOptions, 'screen' | 'picture' | 'output'>,
  target: OutputTarget,
): Promise<boolean> {
  if (picture) {
    const bytes = (await import('./picture/pictureResults')).resultsPicture(document, picture)
    if (bytes) await target.write(bytes)
    return bytes !== undefined
  }
  const lines = (await import('./text/textResults')).resultLines(document, screen)
  if (lines && output === undefined) await printStyled(lines, screen.coloured)
  else if (lines) await target.write(Buffer.from(styledText(lines, false)))
  return lines !== undefined
}

export async function plot(inputs: TraceInputs, options: PlotOptions): Promise<void> {
  const { charts, range, layer, screen, picture, output, ...arrangement } = options
  const target = outputTarget(output)
  const without: FoundResults[] = []
  try {
    const open = await openRuns(
      { ...inputs, prefersComplete: true, most: LETTERS.length },
      { ...arrangement, sums: false },
      found => without.push(found),
    )
    try {
      const [results] = without
      if (open.length === 0 && results) {
        checkForResults(options)
        if (!(await plotResults(results.document, options, target)))
          return complain(inputs.paths.join(' '), 'nothing-to-draw', 'One number per metric makes no picture.')
        target.keep()
        if (output !== undefined) say(`wrote ${output}`)
        return
      }
      if (open.length === 0) return complain(inputs.paths.join(' '), 'no-run', 'No trace could be read.')
      if (arrangement.device !== undefined) checkDevice(open, arrangement.device)
      const frame = await plotFrame(
        open.map(({ run }) => run),
        range,
        layer,
      )
      if (picture) {
        const { chartsPicture } = await import('./picture/picture')
        await target.write(await chartsPicture(frame, charts, picture))
      } else {
        const lines: StyledLine[] = []
        for (const name of charts) {
          if (lines.length > 0) lines.push([])
          lines.push(...chartLines(screen, await chartText(name, frame, screen)))
        }
        if (output === undefined) await printStyled(lines, screen.coloured)
        else await target.write(Buffer.from(styledText(lines, false)))
      }
      target.keep()
      if (output !== undefined) say(`wrote ${output}`)
    } finally {
      for (const { open: trace } of open) trace.free()
    }
  } finally {
    target.drop()
  }
}
