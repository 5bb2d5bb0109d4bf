import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../../charts/shared/menu/files'
import type { ExportFormat } from '../../../export/file'
import { isRead, requestFile } from '../../../export/save'
import { AT_SCALE } from '../../../lib/docs'
import { atTime, count, counted } from '../../../lib/format'
import { extentOf, visible } from '../../../state/filter'
import { nothingHidden } from '../../../state/hidden'
import { titleOf } from '../../../state/page'
import { isWhole } from '../../../state/range'
import type { Run, View } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { Dialog } from '../Dialog'
import './export-requests.css'

const FORMATS: readonly (readonly [ExportFormat, string, string])[] = [
  ['parquet', 'Parquet', 'Small and typed; for DuckDB, Spark and pandas.'],
  ['csv', 'CSV', 'Text, for everything else.'],
]

/** The time range and filters that the export applies, in words. */
function shownInWords(view: View, runs: readonly Run[]): string {
  const { range, hidden, latency } = view
  const seconds = (t: number) => atTime(t, (range.t1 - range.t0) / 1000)
  const when = isWhole(range, extentOf(runs))
    ? 'full time range'
    : `issued from ${seconds(range.t0)} to ${seconds(range.t1)}`
  const filters = nothingHidden(hidden) && latency === undefined ? 'no filters' : 'filters applied'
  return `Shown device, ${when}, ${filters}.`
}

/** With all devices requested, runs that are devices of one trace would repeat the same requests. */
const oncePerTrace = <T extends Run>(runs: readonly T[]): readonly T[] =>
  runs.filter((run, i) => run.alone || runs.findIndex(r => r.trace === run.trace) === i)

/** Saves every request of the visible runs, or of one run, as one file. */
export function ExportRequests({ onlyRun }: { readonly onlyRun: string | undefined }) {
  const { close } = useActions()
  const runs = usePage(p => p.runs)
  const view = usePage(p => p.view)
  const title = usePage(titleOf)
  const [format, setFormat] = useState<ExportFormat>('parquet')
  const [all, setAll] = useState(true)
  const [rows, setRows] = useState<number>()
  const [message, setMessage] = useState('')
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const shown = onlyRun === undefined ? visible(runs) : runs.filter(run => run.id === onlyRun)
  const exportedRuns = onlyRun === undefined ? 'all visible runs' : shown[0]?.label
  const read = shown.filter(isRead)
  const skipped = shown.filter(run => !isRead(run)).map(run => run.letter)

  const save = async () => {
    const controller = new AbortController()
    stop.current = controller
    setRows(0)
    setMessage('')
    try {
      const request = { runs: all ? oncePerTrace(read) : read, format, ...(!all && { view }) }
      const { blob, rows } = await requestFile(request, setRows, controller.signal)
      saveFile(`${title.replaceAll(/[\\/:*?"<>|]+/g, '-')}-requests.${format}`, blob)
      setMessage(`${counted(rows, 'request')} saved.`)
    } catch (thrown) {
      setMessage(
        controller.signal.aborted
          ? 'Cancelled, nothing saved.'
          : `Not saved: ${(thrown as { message?: string }).message ?? String(thrown)}`,
      )
    }
    setRows(undefined)
  }
  const busy = rows !== undefined
  return (
    <Dialog
      title={onlyRun === undefined ? 'Export requests' : `Export requests of ${shown[0]?.letter}`}
      lead={`One row per request, for ${exportedRuns}. Opens in a database or spreadsheet.`}
      onClose={close}
    >
      <div className="export-requests">
        <fieldset className="align-ways" disabled={busy}>
          <legend className="caption">Requests</legend>
          <Choice
            name="which"
            checked={all}
            onChange={() => setAll(true)}
            label="All requests"
            description="All devices, ignoring filters and zoom."
          />
          <Choice
            name="which"
            checked={!all}
            onChange={() => setAll(false)}
            label="Shown in the charts"
            description={shownInWords(view, runs)}
          />
        </fieldset>
        <fieldset className="align-ways" disabled={busy}>
          <legend className="caption">Format</legend>
          {FORMATS.map(([key, label, description]) => (
            <Choice
              key={key}
              name="format"
              checked={format === key}
              onChange={() => setFormat(key)}
              label={label}
              description={description}
            />
          ))}
        </fieldset>
      </div>
      {skipped.length > 0 && <p className="caption">{`Skipped (incomplete): ${skipped.join(', ')}.`}</p>}
      <p className="caption">
        <a href={AT_SCALE} target="_blank" rel="noreferrer">
          Column reference, and how to query many traces
        </a>
      </p>
      <p role="status">{busy ? `${count(rows)} requests so far …` : message}</p>
      <footer className="dialog-foot">
        {busy ? (
          <button type="button" className="button large" onClick={() => stop.current?.abort()}>
            Cancel
          </button>
        ) : (
          <button type="button" className="button primary large" data-first disabled={read.length === 0} onClick={save}>
            Save {format === 'csv' ? 'CSV' : 'Parquet'}
          </button>
        )}
        <button type="button" className="button large" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly checked: boolean
  onChange(): void
}

function Choice({ name, label, description, checked, onChange }: ChoiceProps) {
  return (
    <label>
      <input type="radio" name={name} checked={checked} onChange={onChange} />
      <span>
        <b>{label}</b> {description}
      </span>
    </label>
  )
}
