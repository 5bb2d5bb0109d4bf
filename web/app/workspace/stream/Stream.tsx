/**
 * A run that is being written: its figures of the last seconds, large; what is wrong; and all of its time as a strip.
 */
import { troublesOf } from '../../../engine/live/trouble'
import type { RecentDevice, StreamStatus } from '../../../engine/protocol'
import { count, counted, duration, figure, megabytes, share, typographic } from '../../../lib/format'
import type { FollowedRun, Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { StreamStrip } from './StreamStrip'
import './stream.css'

export function Stream({ run, stream }: { readonly run: Run; readonly stream: FollowedRun }) {
  const actions = useActions()
  const following = usePage(p => p.following) ?? false
  const { status, seconds } = stream
  const begun = status !== undefined && status.events > 0
  const troubles = status ? troublesOf(status.engine, status.quietMs, typographic) : []
  return (
    <section className="stream" aria-label="Live" data-shown={status?.engine.shown_ns}>
      <header className="stream-head">
        <p className="stream-state">
          <span className="tag stream-tag" data-following={following}>
            {begun ? (following ? 'live' : 'paused') : 'waiting'}
          </span>
          <span>{begun ? streamFacts(status) : 'Waiting for the first events.'}</span>
        </p>
        <div className="stream-buttons">
          <button type="button" className="button" aria-pressed={following} onClick={() => actions.follow(!following)}>
            {following ? 'Pause' : 'Follow'} <kbd>F</kbd>
          </button>
          <button
            type="button"
            className="button"
            title="Reads what has arrived as an ordinary run"
            onClick={() => actions.stopStream(run.id)}
          >
            End here
          </button>
        </div>
      </header>
      <div role="status" className="stream-troubles">
        {troubles.map(({ code, text }) => (
          <p key={code} data-trouble={code}>
            {text}
          </p>
        ))}
        {status && status.skippedBytes > 0 && (
          <p data-trouble="skipped">
            {megabytes(status.skippedBytes)} MB of the stream are missing: the page was opened later, or could not keep
            up.
          </p>
        )}
      </div>
      {status?.recent.map(device => (
        <DeviceFigures
          key={device.dev}
          device={device}
          isNamed={status.recent.length > 1 || device.name !== device.dev}
        />
      ))}
      {seconds.length > 0 && <StreamStrip seconds={seconds} status={status} />}
      {status && <Thinned status={status} />}
    </section>
  )
}

function streamFacts({ engine, events, receivedBytes }: StreamStatus): string {
  const received = `${counted(events, 'event')}, ${megabytes(receivedBytes)} MB`
  const lag = `shown ${duration(engine.lag_ns)} after the latest event`
  return `${clockTime(engine.shown_ns)} since the first event, ${received}; ${lag}`
}

/** A duration as hours, minutes and seconds: `0:03:12`. */
function clockTime(ns: number): string {
  const seconds = Math.floor(ns / 1e9)
  const twoDigits = (n: number) => String(n).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}

/** The figures of one device over the last 10 s. */
function DeviceFigures({ device, isNamed }: { readonly device: RecentDevice; readonly isNamed: boolean }) {
  const { depth, d2c, q2c } = device
  const [d2c50, d2c99, q2c50, q2c99] = [d2c?.p50, d2c?.p99, q2c?.p50, q2c?.p99].map(ns =>
    ns === undefined ? undefined : duration(ns),
  )
  return (
    <section className="stream-device" aria-label={`Last 10 s of ${device.name}`} data-dev={device.dev}>
      <h2>
        {isNamed ? device.name : 'Device'} {device.name !== device.dev || !isNamed ? device.dev : ''}{' '}
        <span>last 10 s</span>
      </h2>
      <dl>
        <Tile name="IOPS" figureKey="iops" value={count(Math.round(device.iops))} />
        <Tile name="Read" figureKey="read" value={figure(device.readBps / 1e6)} unit="MB/s" />
        <Tile name="Write" figureKey="write" value={figure(device.writeBps / 1e6)} unit="MB/s" />
        {depth && (
          <Tile
            name="In flight"
            figureKey="depth"
            value={figure(depth.mean)}
            detail={`max. ${count(depth.max)}${depth.starved > 0.0005 ? `, starved ${share(depth.starved)}` : ''}`}
          />
        )}
        {d2c && <Latency name="D2C" p50={d2c50} p99={d2c99} />}
        {q2c && <Latency name="Q2C" p50={q2c50} p99={q2c99} />}
      </dl>
    </section>
  )
}

function Latency({
  name,
  p50 = '',
  p99 = '',
}: {
  readonly name: string
  readonly p50?: string | undefined
  readonly p99?: string | undefined
}) {
  const [value = '', unit] = p99.split(' ')
  return (
    <Tile
      name={`${name} p99`}
      figureKey={`${name.toLowerCase()}-p99`}
      value={value}
      unit={unit}
      detail={`p50 ${p50}`}
    />
  )
}

interface TileProps {
  readonly name: string
  readonly figureKey: string
  readonly value: string
  readonly unit?: string | undefined
  readonly detail?: string
}

function Tile({ name, figureKey, value, unit, detail }: TileProps) {
  return (
    <div className="stream-tile" data-figure={figureKey}>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        {unit && <span className="stream-unit">{unit}</span>}
        {detail && <span className="stream-more">{detail}</span>}
      </dd>
    </div>
  )
}

/** Says which part of the stream is no longer available in detail. */
function Thinned({ status: { shownFrom, keptFrom } }: { readonly status: StreamStatus }) {
  if (shownFrom === undefined && keptFrom === undefined) return undefined
  const chartWords =
    shownFrom !== undefined &&
    `Charts show the time from ${clockTime(shownFrom)} on; of what is older only the strip above is left.`
  const keptWords = keptFrom !== undefined && `The run at the end will have the events from ${clockTime(keptFrom)} on.`
  return (
    <p className="stream-thinned" data-thinned="">
      {[chartWords, keptWords].filter(Boolean).join(' ')}
    </p>
  )
}
