/** Flushes and FUA writes, in words. */

import type { ChartFrame } from '../shared/answers/shown'
import { Panel } from '../shared/frame/Panel'
import { noneWords, table, words } from './summary'

export function Flushes({ frame }: { readonly frame: ChartFrame }) {
  const { shown } = frame
  const none = noneWords(shown)
  const sentences = none === undefined ? shown.map(words) : [none]
  return (
    <Panel
      title="Flushes"
      chart="flushes"
      shown={shown}
      what="preflush, flush and FUA"
      words={sentences}
      measured="flush"
      table={() => table(shown)}
    >
      {sentences.map(sentence => (
        <p key={sentence} className="chart-sentence">
          {sentence}
        </p>
      ))}
    </Panel>
  )
}
