/** Every figure of the runs side by side: value, difference, ratio, and whether that is for the worse. */
import { useMemo, useState } from 'react'
import { copyText, saveFile } from '../charts/shared/files'
import { deviceName } from '../charts/shared/names'
import { SpoiledMark } from '../charts/shared/Spoiled'
import { measuredAt } from '../lib/docs'
import { deviceOf, visible } from '../state/filter'
import type { Run } from '../state/types'
import './differences.css'
import {
  applicationRows,
  barShare,
  cell,
  differences,
  type Differences as Found,
  type Row,
  signed,
  spoiledNote,
  type Verdict,
  verdictOf,
} from './rows'
import { asCsv, asText, type Named } from './summary'

export function Differences({ runs }: { readonly runs: readonly Run[] }) {
  const shown = useMemo(() => visible(runs).filter(run => run.summary !== undefined), [runs])
  const baseline = Math.max(
    0,
    shown.findIndex(run => run.baseline),
  )
  const found = useMemo(() => {
    const devices = shown.map(run => run.summary?.devices.find(d => d.dev === deviceOf(run)?.dev))
    const application = applicationRows(
      shown.map(run => run.bench),
      baseline,
    )
    return { ...differences(devices, baseline), application }
  }, [shown, baseline])
  if (shown.length < 2) return undefined
  const named = shown.map((run): Named => ({ letter: run.letter, label: run.label, device: deviceName(deviceOf(run)?.dev ?? '', run) }))
  const other = shown.length === 2 ? 1 - baseline : undefined
  const note = spoiledNote(
    found.rows,
    named.map(run => run.letter),
  )
  return (
    <section className="differences" aria-labelledby="differences-title">
      <header>
        <h2 id="differences-title">Differences</h2>
        <span className="differences-what">{`${[...new Set(named.map(n => n.device))].join(', ')}; single runs: how much of a difference is noise is not known`}</span>
        <Tools found={found} named={named} baseline={baseline} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="differences-scroll" tabIndex={0} aria-label="Table of differences">
        <table>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col">unit</th>
              {named.map((run, i) => (
                <th key={run.letter} scope="col" data-figure="">
                  {run.letter}
                  {i === baseline && shown.length > 2 ? ' (baseline)' : ''}
                </th>
              ))}
              {other !== undefined && (
                <>
                  <th scope="col" data-figure="">{`${named[other]?.letter} − ${named[baseline]?.letter}`}</th>
                  <th scope="col" data-figure="">{`${named[other]?.letter} / ${named[baseline]?.letter}`}</th>
                  <th scope="col" className="differences-scale">
                    <span>1/32</span>
                    <span>same</span>
                    <span>×32</span>
                  </th>
                  <th scope="col">verdict</th>
                </>
              )}
            </tr>
          </thead>
          {found.application.length > 0 && <Rows title="What the application saw" rows={found.application} named={named} baseline={baseline} />}
          <Rows title={found.application.length > 0 ? 'What the disk saw' : undefined} rows={found.rows} named={named} baseline={baseline} />
        </table>
      </section>
      {note !== undefined && <p className="differences-zero">† {note}</p>}
      {found.zero.length > 0 && (
        <p className="differences-zero">{`Zero in ${shown.length === 2 ? 'both' : 'all'} runs: ${found.zero.join('; ')}.`}</p>
      )}
    </section>
  )
}

interface RowsProps {
  readonly title: string | undefined
  readonly rows: readonly Row[]
  readonly named: readonly Named[]
  readonly baseline: number
}

function Rows({ title, rows, named, baseline }: RowsProps) {
  const other = named.length === 2 ? 1 - baseline : undefined
  return (
    <tbody>
      {title !== undefined && (
        <tr className="differences-part">
          <th scope="rowgroup" colSpan={named.length + (other === undefined ? 2 : 6)}>
            {title}
          </th>
        </tr>
      )}
      {rows.map(row => (
        <tr key={row.key}>
          <th scope="row">{row.label}</th>
          <td className="differences-unit">{row.unit}</td>
          {row.values.map((value, i) => (
            <td key={named[i]?.letter} data-figure="">
              {cell(value)}
              <Dagger row={row} run={i} />
              {other === undefined && row.changes[i] !== undefined && (
                <small data-verdict={verdictOf(row, baseline, i)}>
                  {MARKS[verdictOf(row, baseline, i) ?? 'same']} {row.changes[i]}
                </small>
              )}
            </td>
          ))}
          {other !== undefined && <Pair row={row} baseline={baseline} other={other} />}
        </tr>
      ))}
    </tbody>
  )
}

/** Behind a value that lost events make wrong. */
export function Dagger({ row, run }: { readonly row: Row; readonly run: number }) {
  return <SpoiledMark spoiled={row.spoiled[run] ? [row.key] : undefined} names={[row.key]} />
}

const MARKS: Readonly<Record<Verdict, string>> = { worse: '▲', better: '▽', changed: '◇', same: '=', spoiled: '†' }

function Pair({ row, baseline, other }: { readonly row: Row; readonly baseline: number; readonly other: number }) {
  const [before, after] = [row.values[baseline], row.values[other]]
  const verdict = verdictOf(row, baseline, other)
  const share = barShare(before, after)
  return (
    <>
      <td data-figure="">{signed(before, after)}</td>
      <td data-figure="">
        <b>{row.changes[other] ?? '-'}</b>
      </td>
      <td className="differences-bar">
        <svg viewBox="-100 0 200 12" preserveAspectRatio="none" aria-hidden="true">
          <path className="differences-grid" d="M-99.5 0v12M99.5 0v12" />
          {share !== undefined && (
            <rect
              className={share < 0 ? 'differences-less' : 'differences-more'}
              x={Math.min(0, share * 100)}
              y={0}
              width={Math.abs(share) * 100}
              height={12}
            />
          )}
          <path className="differences-same" d="M0 0v12" />
        </svg>
      </td>
      <td className="differences-verdict" data-verdict={verdict}>
        {verdict === undefined ? '' : `${MARKS[verdict]} ${verdict}`}
      </td>
    </>
  )
}

function Tools({ found, named, baseline }: { readonly found: Found; readonly named: readonly Named[]; readonly baseline: number }) {
  const [said, setSaid] = useState('Copy as text')
  return (
    <span className="differences-tools">
      <a href={measuredAt('figures')} target="_blank" rel="noopener">
        How this is measured
      </a>
      <button type="button" onClick={() => copyText(asText(found, named, baseline)).then(ok => setSaid(ok ? 'Copied' : 'Not allowed'))}>
        {said}
      </button>
      <button type="button" onClick={() => saveFile('differences.csv', new Blob([asCsv(found, named, baseline)], { type: 'text/csv' }))}>
        CSV
      </button>
    </span>
  )
}
