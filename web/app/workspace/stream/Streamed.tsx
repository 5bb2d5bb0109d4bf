/** How the stream of a followed run ended, and what was not retained. */
import { endedWords } from '../../../engine/live/trouble'
import { counted, runLength, typographic } from '../../../lib/format'
import { usePage } from '../../context'
import { recordCount } from '../runs/quality'
import { StreamStrip } from './StreamStrip'
import './stream.css'

export function Streamed() {
  const runs = usePage(p => p.runs)
  const ended = runs.flatMap(run => (run.streamed && !run.alone ? [{ run, streamed: run.streamed }] : []))
  return ended.map(({ run, streamed }) => {
    const { status, seconds } = streamed
    const start = status?.keptFrom
    const eventCount = start === undefined && run.info?.complete ? recordCount(run.info) : (status?.events ?? 0)
    const lost =
      start === undefined
        ? ''
        : ` Events before ${runLength(start)} were not kept: the run begins there, and of what is older ` +
          'only these seconds are left.'
    return (
      <section key={run.id} className="streamed" aria-label={`How ${run.letter} ended`} data-why={streamed.why}>
        <p>
          {endedWords(streamed, typographic)}
          {status && ` ${counted(eventCount, 'event')} in ${runLength(status.engine.latest_ns)}.`}
          {lost}
        </p>
        {start !== undefined && seconds.length > 0 && (
          <StreamStrip seconds={seconds} status={status && { ...status, shownFrom: start }} />
        )}
      </section>
    )
  })
}
