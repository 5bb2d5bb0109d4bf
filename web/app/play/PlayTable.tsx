/** The counters as a table, for screen readers: at every pause, and once a second while it plays. */
import { useEffect, useState } from 'react'
import { countersOf, doneWords } from '../../charts/playback/figures'
import type { Player } from '../../charts/playback/player'
import type { PlayedFrame } from '../../charts/playback/screen'
import { clockWords } from '../../charts/playback/stage'

const EVERY_MS = 1000

export function PlayTable({ player }: { readonly player: Player }) {
  const [frame, setFrame] = useState<PlayedFrame>()
  useEffect(() => {
    let lastUpdate = 0
    const update = (next: PlayedFrame) => {
      const now = performance.now()
      if (player.state().playing && now - lastUpdate < EVERY_MS) return
      lastUpdate = now
      setFrame(next)
    }
    const stopFrames = player.watchFrames(update)
    const stop = player.watch(() => {
      const last = player.frame()
      if (!player.state().playing && last) setFrame(last)
    })
    return () => {
      stopFrames()
      stop()
    }
  }, [player])
  if (!frame) return null
  const { t, timing, figures } = frame
  return (
    <table id="play-table" className="visually-hidden" data-time={t} data-window={timing.window}>
      <caption>{`At ${clockWords(t, timing)}`}</caption>
      <tbody>
        {figures.map(({ run, figures: f }) => (
          <tr key={run.id} data-run={run.letter}>
            <th scope="row">{`${run.letter}, ${run.run.label}`}</th>
            <td>{doneWords(f)}</td>
            {countersOf(f, timing.window).map(({ key, caption, value }) => (
              <td key={key} data-counter={key}>{`${caption}: ${value}`}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
