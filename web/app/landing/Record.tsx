import { useId, useState } from 'react'
import { CopyButton } from '../../charts/shared/menu/CopyButton'
import { RecorderForm } from './RecorderForm'
import { RECIPES, RECORDER_NOTE, RECORDER_PRESETS, type RecorderFields, recorderLines } from './recipes'

const [FIRST_PRESET] = RECORDER_PRESETS
const FIRST: RecorderFields = {
  devices: '/dev/sda',
  seconds: FIRST_PRESET?.seconds ?? '',
  label: '',
  question: FIRST_PRESET?.question ?? '',
}
const OWN_TOOL = 'recorder'

/** Address from which another machine can fetch this page; `undefined` for a page from disk. */
const pageAddress = (): string | undefined => (location.protocol.startsWith('http') ? document.baseURI : undefined)

/** How to record a trace, by tool, ready to copy. The recorder of Seekscope comes first. */
export function Record() {
  const [shown, show] = useState(0)
  const [fields, change] = useState(FIRST)
  const id = useId()
  const tools = [{ tool: OWN_TOOL, note: RECORDER_NOTE, lines: recorderLines(fields, pageAddress()) }, ...RECIPES]
  const recipe = tools[shown] ?? tools[0]
  if (!recipe) return undefined
  const onKeyDown = (event: React.KeyboardEvent<HTMLButtonElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = (shown + step + tools.length) % tools.length
    show(next)
    event.currentTarget.parentElement?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <section aria-labelledby={`${id}-title`}>
      <div className="record-head">
        <h2 id={`${id}-title`}>Record a trace</h2>
        <div className="segments" role="tablist" aria-label="Tool">
          {tools.map((r, i) => (
            <button
              key={r.tool}
              type="button"
              role="tab"
              id={`${id}-${r.tool}`}
              aria-selected={i === shown}
              aria-controls={`${id}-panel`}
              tabIndex={i === shown ? 0 : -1}
              onClick={() => show(i)}
              onKeyDown={onKeyDown}
            >
              {r.tool}
            </button>
          ))}
        </div>
        <p className="caption">{recipe.note}</p>
      </div>
      <div className="recipe" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${recipe.tool}`}>
        {recipe.tool === OWN_TOOL && <RecorderForm fields={fields} onChange={change} />}
        <div className="recipe-lines">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by
              keyboard */}
          <pre tabIndex={0}>
            {recipe.lines.map(line => (
              <code key={line} data-comment={line.startsWith('#')}>
                {line}
                {'\n'}
              </code>
            ))}
          </pre>
          <CopyButton className="button copy" text={`${recipe.lines.join('\n')}\n`} />
        </div>
      </div>
    </section>
  )
}
