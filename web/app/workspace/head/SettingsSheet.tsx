/** Settings that differ between both sides, the findings that they can explain, and those that are equal. */
import type { Finding } from '../../../engine/protocol'
import type { CurrentComparison } from '../../../state/comparing/comparing'
import type { ComparedRuns, Run } from '../../../state/types'
import { usePage } from '../../context'
import { type FindingFigure, settingsOf } from '../findings/findingWords'
import { badgedSides, SideBadge } from './SideSentence'

/** All settings that differ: the finding about them has them even where it is not the one that is shown. */
export const changedSettings = (findings: readonly Finding[]): readonly FindingFigure[] => {
  const rows = findings.flatMap(settingsOf)
  return rows.filter(({ key }, i) => rows.findIndex(row => row.key === key) === i)
}

/** `likely cause of 1, 3`: the findings that a setting can explain. */
function causeWords(findings: readonly Finding[], key: string): string {
  const ranks = findings
    .filter(finding => finding.code !== 'setting-changed' && settingsOf(finding).some(row => row.key === key))
    .map(finding => finding.rank)
  return ranks.length > 0 ? `likely cause of ${ranks.join(', ')}` : ''
}

/** Settings that all of these runs have with one value, as `scheduler bfq`. */
function equalSettings(runs: readonly Run[]): readonly string[] {
  const [first, ...rest] = runs
  const nameOf = ({ device, key }: { device?: string; key: string }) => (device ? `${device}: ${key}` : key)
  return (first?.settings ?? []).flatMap(setting => {
    const isEqual = rest.every(run =>
      run.settings?.some(other => nameOf(other) === nameOf(setting) && other.value === setting.value),
    )
    return isEqual ? [`${nameOf(setting)} ${setting.value}`] : []
  })
}

interface SettingsSheetProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
}

export function SettingsSheet({ current: { comparison, document }, compared }: SettingsSheetProps) {
  const allRuns = usePage(p => p.runs)
  const sides = badgedSides(compared, allRuns)
  const runs = allRuns.filter(run => compared.runs.includes(run.id))
  const rows = changedSettings(comparison.findings)
  const equal = runs.length > 1 ? equalSettings(runs) : []
  const withNotes = runs.filter(run => run.settings && run.settings.length > 0)
  const [base, other] = [sides[document.baseline], sides[comparison.side]]
  if (withNotes.length === 0)
    return (
      <p className="panel-words">
        No settings are known. Record with <code>seekscope-record</code>, or add the texts of <code>lsblk</code>,{' '}
        <code>uname</code> or <code>/sys/block</code> beside the trace.
      </p>
    )
  return (
    <div className="panel-columns">
      <table className="settings-changed">
        <thead>
          <tr>
            <th scope="col">{rows.length > 0 ? `Changed, ${rows.length}` : 'No setting changed'}</th>
            <th scope="col">{base && <SideBadge side={base} />}</th>
            <th scope="col">{other && <SideBadge side={other} />}</th>
            <th scope="col">
              <span className="visually-hidden">can explain</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, before, after }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              <td>{before}</td>
              <td>{after}</td>
              <td>{causeWords(comparison.findings, key)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <h3>{equal.length > 0 ? `Equal, ${equal.length}` : 'No setting of all runs is known to be equal'}</h3>
        <p className="settings-equal">{equal.join(' · ')}</p>
        <p className="caption">From the notes beside the traces. Settings that one side lacks are not compared.</p>
      </div>
    </div>
  )
}
