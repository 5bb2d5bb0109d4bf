import { type FormEvent, useId, useState } from 'react'
import type { Geometry } from '../../../engine/protocol'
import { sectorSize } from '../../../lib/format'
import { formatSize, fullStripe, LEVEL_NAMES, LEVELS, parityDisks } from '../../../lib/geometry'
import { visible } from '../../../state/filter'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { Suggested, sourceWords } from '../../workspace/rail/Suggested'
import { type Suggestion, suggestionsOf } from '../../workspace/rail/suggestion'
import { Dialog } from '../Dialog'
import { checkDraft, draftOf, EMPTY_DRAFT, type GeometryDraft } from './geometryDraft'

const ALL_RUNS = 'all'

/** Fields of a suggestion, without the start: an offset may be the misalignment that the user is looking for. */
const toDraft = ({ unit, dataDisks, level }: Suggestion): Partial<GeometryDraft> => ({
  unit: formatSize(unit),
  ...(dataDisks !== undefined && { dataDisks: String(dataDisks) }),
  ...(level && { level }),
})

/** The geometry that is set, else what is known of the array: applying it is one press. */
function firstDraft(runs: readonly Run[], geometry: Geometry | undefined): GeometryDraft {
  const [suggestion] = visible(runs).flatMap(suggestionsOf)
  return geometry ? draftOf(geometry) : { ...EMPTY_DRAFT, ...(suggestion && toDraft(suggestion)) }
}

/** The form for a RAID geometry: level, stripe unit, data disks and start; applied to all runs or to one. */
export function GeometryForm({ onClose }: { onClose(): void }) {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const common = usePage(p => p.geometry)
  const [target, setTarget] = useState(ALL_RUNS)
  const geometryOf = (id: string) =>
    id === ALL_RUNS ? (common ?? runs.find(r => r.geometry)?.geometry) : runs.find(r => r.id === id)?.geometry
  const [draft, setDraft] = useState<GeometryDraft>(() => firstDraft(runs, geometryOf(ALL_RUNS)))
  const [tried, setTried] = useState(false)
  const checked = checkDraft(draft)
  const change = (part: Partial<GeometryDraft>) => setDraft({ ...draft, ...part })
  const apply = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!checked.ok) return
    actions.setGeometry(checked.geometry, target === ALL_RUNS ? undefined : target)
    onClose()
  }
  const shared = {
    draft,
    change,
    problemOf: (name: keyof GeometryDraft) =>
      tried && !checked.ok && checked.field === name ? checked.why : undefined,
  }
  return (
    <Dialog
      title="Storage geometry"
      lead="Requests are classified by these stripes. The trace is not changed."
      onClose={onClose}
    >
      <form onSubmit={apply}>
        <LevelRow draft={draft} change={change} />
        <DraftRow
          {...shared}
          name="unit"
          label="Stripe unit"
          hint="Bytes per disk in one stripe: md chunk size, hardware stripe unit (su)."
          first
        />
        <DraftRow
          {...shared}
          name="dataDisks"
          label="Data disks"
          hint="Disks excluding parity: 4 for a 5-disk RAID 5."
        />
        <DraftRow
          {...shared}
          name="start"
          label="Start"
          hint="Where the first stripe starts on the traced device; for example 63s."
        />
        <TargetRow
          target={target}
          caption={checked.ok ? `Full stripe: ${sectorSize(fullStripe(checked.geometry))}` : ''}
          choose={next => {
            setTarget(next)
            const geometry = geometryOf(next)
            if (geometry) setDraft(draftOf(geometry))
          }}
        />
        {visible(runs)
          .flatMap(suggestionsOf)
          .map((suggestion, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while the form is open
            <div key={i} className="seen">
              <strong>{sourceWords(suggestion)}</strong>
              <Suggested suggestion={suggestion} />
              <button type="button" className="link" onClick={() => change(toDraft(suggestion))}>
                Use {sectorSize(suggestion.unit)}
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
                actions.setGeometry(undefined, target === ALL_RUNS ? undefined : target)
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

interface DraftProps {
  readonly draft: GeometryDraft
  change(part: Partial<GeometryDraft>): void
}

function LevelRow({ draft, change }: DraftProps) {
  const id = useId()
  return (
    <div className="form-row">
      <label htmlFor={id}>Level</label>
      <select
        id={id}
        className="field"
        value={draft.level}
        onChange={event => change({ level: LEVELS.find(level => level === event.target.value) ?? 'none' })}
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
  )
}

interface DraftRowProps extends DraftProps {
  readonly name: 'unit' | 'dataDisks' | 'start'
  readonly label: string
  readonly hint: string
  /** Whether the field gets the focus when the form opens. */
  readonly first?: boolean
  problemOf(name: keyof GeometryDraft): string | undefined
}

function DraftRow({ draft, change, name, label, hint, first, problemOf }: DraftRowProps) {
  const id = useId()
  const problem = problemOf(name)
  return (
    <div className="form-row">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="field mono"
        data-first={first}
        value={draft[name]}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={event => change({ [name]: event.target.value })}
      />
      <p id={`${id}-hint`} className={problem ? 'form-wrong' : 'caption'} role={problem ? 'alert' : undefined}>
        {problem ?? hint}
      </p>
    </div>
  )
}

interface TargetRowProps {
  /** Id of a run, or `ALL_RUNS`. */
  readonly target: string
  readonly caption: string
  choose(target: string): void
}

function TargetRow({ target, caption, choose }: TargetRowProps) {
  const id = useId()
  const runs = usePage(p => p.runs)
  return (
    <div className="form-row">
      <label htmlFor={id}>For</label>
      <select id={id} className="field" value={target} onChange={event => choose(event.target.value)}>
        <option value={ALL_RUNS}>all runs</option>
        {runs.map(run => (
          <option key={run.id} value={run.id}>
            {run.letter}: {run.label}
          </option>
        ))}
      </select>
      <p className="caption">{caption}</p>
    </div>
  )
}
