import { useId, useState } from 'react'
import { sectorSize } from '../../lib/format'
import { formatSize, fullStripe, LEVEL_NAMES, LEVELS, parityDisks } from '../../lib/geometry'
import { visible } from '../../state/filter'
import { useActions, usePage } from '../context'
import { Suggested, suggestedBy } from '../workspace/Suggested'
import { type Suggestion, suggestionsOf } from '../workspace/suggestion'
import { Dialog } from './Dialog'
import { checkDraft, draftOf, EMPTY_DRAFT, type GeometryDraft } from './geometryDraft'

const ALL = 'all'

/** Fields of a suggestion, without the start: an offset may be the misalignment that the user is looking for. */
const filledIn = ({ unit, dataDisks, level }: Suggestion): Partial<GeometryDraft> => ({
  unit: formatSize(unit),
  ...(dataDisks !== undefined && { dataDisks: String(dataDisks) }),
  ...(level && { level }),
})

/** Level, stripe unit, data disks and start, for all runs or for one. */
export function GeometryForm({ onClose }: { onClose(): void }) {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const common = usePage(p => p.geometry)
  const [target, setTarget] = useState(ALL)
  const of = (id: string) =>
    id === ALL ? (common ?? runs.find(r => r.geometry)?.geometry) : runs.find(r => r.id === id)?.geometry
  const [draft, setDraft] = useState<GeometryDraft>(() => {
    const geometry = of(ALL)
    return geometry ? draftOf(geometry) : EMPTY_DRAFT
  })
  const [tried, setTried] = useState(false)
  const id = useId()
  const checked = checkDraft(draft)
  const suggestions = visible(runs).flatMap(suggestionsOf)
  const set = (change: Partial<GeometryDraft>) => setDraft({ ...draft, ...change })
  const wrong = (field: keyof GeometryDraft) =>
    tried && !checked.ok && checked.field === field ? checked.why : undefined
  const apply = (event: React.FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!checked.ok) return
    actions.setGeometry(checked.geometry, target === ALL ? undefined : target)
    onClose()
  }
  const field = (name: 'unit' | 'dataDisks' | 'start', label: string, hint: string, first = false) => {
    const why = wrong(name)
    return (
      <div className="form-row">
        <label htmlFor={`${id}-${name}`}>{label}</label>
        <input
          id={`${id}-${name}`}
          className="field mono"
          data-first={first || undefined}
          value={draft[name]}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={why !== undefined}
          aria-describedby={`${id}-${name}-hint`}
          onChange={event => set({ [name]: event.target.value })}
        />
        <p id={`${id}-${name}-hint`} className={why ? 'form-wrong' : 'caption'} role={why ? 'alert' : undefined}>
          {why ?? hint}
        </p>
      </div>
    )
  }
  return (
    <Dialog
      title="Storage geometry"
      lead="Requests are classified by these stripes. The trace is not changed."
      onClose={onClose}
    >
      <form onSubmit={apply}>
        <div className="form-row">
          <label htmlFor={`${id}-level`}>Level</label>
          <select
            id={`${id}-level`}
            className="field"
            value={draft.level}
            onChange={event => set({ level: LEVELS.find(l => l === event.target.value) ?? 'none' })}
          >
            {LEVELS.map(level => (
              <option key={level} value={level}>
                {level === 'none' ? 'striped, level unknown' : LEVEL_NAMES[level]}
              </option>
            ))}
          </select>
          <p className="caption">
            {parityDisks(draft.level) > 0
              ? 'Determines what partial stripes cost.'
              : 'Without parity, partial stripes cost nothing extra.'}
          </p>
        </div>
        {field('unit', 'Stripe unit', 'Bytes per disk in one stripe: md chunk size, hardware stripe unit (su).', true)}
        {field('dataDisks', 'Data disks', 'Disks excluding parity: 4 for a 5-disk RAID 5.')}
        {field('start', 'Start', 'Where the first stripe starts on the traced device; for example 63s.')}
        <div className="form-row">
          <label htmlFor={`${id}-runs`}>For</label>
          <select
            id={`${id}-runs`}
            className="field"
            value={target}
            onChange={event => {
              setTarget(event.target.value)
              const geometry = of(event.target.value)
              if (geometry) setDraft(draftOf(geometry))
            }}
          >
            <option value={ALL}>all runs</option>
            {runs.map(run => (
              <option key={run.id} value={run.id}>
                {run.letter}: {run.label}
              </option>
            ))}
          </select>
          <p className="caption">{checked.ok ? `Full stripe: ${sectorSize(fullStripe(checked.geometry))}` : ''}</p>
        </div>
        {suggestions.map((s, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while the form is open
          <div key={i} className="seen">
            <strong>{suggestedBy(s)}</strong>
            <Suggested suggestion={s} />
            <button type="button" className="link" onClick={() => set(filledIn(s))}>
              Use {sectorSize(s.unit)}
            </button>
          </div>
        ))}
        <footer className="dialog-foot">
          <button type="submit" className="button primary large">
            Apply
          </button>
          <button type="button" className="button large" onClick={onClose}>
            Cancel
          </button>
          {runs.some(r => r.geometry) && (
            <button
              type="button"
              className="button quiet large"
              onClick={() => {
                actions.setGeometry(undefined, target === ALL ? undefined : target)
                onClose()
              }}
            >
              Remove geometry
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  )
}
