/** A labelled select of table columns. */
import { useId } from 'react'
import type { FleetField } from '../fields'

interface PickProps {
  readonly label: string
  readonly fields: readonly FleetField[]
  readonly value: string | undefined
  /** Text of the entry for no column; absent: a column must be chosen. */
  readonly emptyLabel?: string
  change(name: string | undefined): void
}

export function Pick({ label, fields, value, emptyLabel, change }: PickProps) {
  const id = useId()
  return (
    <span className="fleet-pick">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={event => change(event.target.value === '' ? undefined : event.target.value)}
      >
        {emptyLabel !== undefined && <option value="">{emptyLabel}</option>}
        {fields.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </span>
  )
}
