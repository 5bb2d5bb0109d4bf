/** The output of blkparse and btt for a run, from the same engine as the charts: to read, copy and save. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { CopyButton } from '../../../charts/shared/menu/CopyButton'
import { saveFile } from '../../../charts/shared/menu/files'
import { NATIVE_TOOLS, type NativeTool } from '../../../engine/protocol'
import { measuredAt } from '../../../lib/docs'
import type { Run } from '../../../state/types'
import { useActions } from '../../context'
import { Dialog } from '../Dialog'
import './native-tables.css'

const TITLES: Readonly<Record<NativeTool, string>> = { blkparse: 'blkparse summary', btt: 'btt' }

const DIFFERENCES: Readonly<Record<NativeTool, string>> = {
  blkparse: measuredAt('where-seekscope-blkparse-prints-something-else'),
  btt: measuredAt('where-seekscope-btt-prints-something-else'),
}

/** Steps of the arrow keys between tabs. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

export function NativeTables({ run }: { readonly run: Run }) {
  const { close } = useActions()
  const [tool, choose] = useState<NativeTool>('blkparse')
  const { text, error } = useNativeText(run, tool)
  const tabs = useRef<HTMLDivElement>(null)
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = NATIVE_TOOLS[(NATIVE_TOOLS.indexOf(tool) + step + NATIVE_TOOLS.length) % NATIVE_TOOLS.length] ?? tool
    choose(next)
    tabs.current?.querySelector<HTMLElement>(`[data-tool="${next}"]`)?.focus()
  }
  return (
    <Dialog title={`Native tables of ${run.letter}`} lead={run.label} wide onClose={close}>
      <div className="segments" role="tablist" aria-label="Native tool" ref={tabs} onKeyDown={onKeyDown}>
        {NATIVE_TOOLS.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tool={name}
            aria-selected={name === tool}
            aria-controls={`${id}-panel`}
            tabIndex={name === tool ? 0 : -1}
            data-first={name === tool || undefined}
            onClick={() => choose(name)}
          >
            {TITLES[name]}
          </button>
        ))}
      </div>
      <div
        className="native"
        role="tabpanel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        id={`${id}-panel`}
        aria-labelledby={`${id}-${tool}`}
        aria-busy={text === undefined}
      >
        {error === undefined ? <pre>{text ?? 'Counting …'}</pre> : <p>{error}</p>}
      </div>
      <p className="caption">
        Text and layout as in {tool} 1.2.0; figures from the Seekscope engine.{' '}
        <a href={DIFFERENCES[tool]} target="_blank" rel="noreferrer">
          Differences from {tool}
        </a>
      </p>
      <footer className="dialog-foot">
        <button type="button" className="button primary large" onClick={close}>
          Close
        </button>
        {text !== undefined && (
          <>
            <CopyButton text={text} label="Copy as text" />
            <button
              type="button"
              className="button"
              onClick={() =>
                saveFile(`${run.info?.name ?? run.letter}-${tool}.txt`, new Blob([text], { type: 'text/plain' }))
              }
            >
              Save as text
            </button>
          </>
        )}
      </footer>
    </Dialog>
  )
}

/** The output of one tool; both fields are absent while the engine generates it. */
function useNativeText({ client }: Run, tool: NativeTool): { readonly text?: string; readonly error?: string } {
  const [output, setOutput] = useState<{ readonly tool: NativeTool; readonly text?: string; readonly error?: string }>()
  useEffect(() => {
    let isCancelled = false
    client.query('nativeText', { tool }).then(
      ({ text }) => isCancelled || setOutput({ tool, text }),
      (thrown: { message?: string }) => isCancelled || setOutput({ tool, error: thrown.message ?? String(thrown) }),
    )
    return () => {
      isCancelled = true
    }
  }, [client, tool])
  return output?.tool === tool ? output : {}
}
