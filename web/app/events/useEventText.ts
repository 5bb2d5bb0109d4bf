/** Lines of an event list for the clipboard, or all of them in a file. */
import { useRef, useState } from 'react'
import { copyText, saveFile } from '../../charts/shared/menu/files'
import type { EventFilter } from '../../engine/protocol'
import { counted, megabytes } from '../../lib/format'
import type { Run } from '../../state/types'
import { eventText } from './text'

/** The first line and the one after the last. */
export type LineSpan = readonly [from: number, to: number]

export interface EventText {
  /** What the last action did, or why it failed. */
  readonly message: string
  copy(span: LineSpan): Promise<void>
  /** Saves all lines; pressed again, it stops. */
  save(total: number): Promise<void>
}

export function useEventText(run: Run, filter: EventFilter): EventText {
  const [message, setMessage] = useState('')
  const saving = useRef<{ stopped: boolean }>(undefined)
  const copy = async ([from, to]: LineSpan) => {
    const pieces: string[] = []
    for await (const piece of eventText(run.client, filter, from, to)) pieces.push(piece)
    setMessage(
      (await copyText(pieces.join('')))
        ? `${counted(to - from, 'line')} copied`
        : 'Clipboard blocked. Select and copy manually.',
    )
  }
  const save = async (total: number) => {
    if (saving.current) {
      saving.current.stopped = true
      return
    }
    const job = { stopped: false }
    saving.current = job
    const pieces: Blob[] = []
    let bytes = 0
    for await (const piece of eventText(run.client, filter, 0, total)) {
      if (job.stopped) break
      pieces.push(new Blob([piece]))
      bytes += piece.length
      setMessage(`${megabytes(bytes)} MB saved; press again to stop`)
    }
    saving.current = undefined
    if (!job.stopped) saveFile(`${run.info?.name ?? run.letter}-events.txt`, new Blob(pieces, { type: 'text/plain' }))
    setMessage(job.stopped ? 'Stopped' : `${counted(total, 'line')} saved`)
  }
  return { message, copy, save }
}
