/** A select with a label, of columns. */
import { useId } from 'react'
import type { FleetField } from '../fields'

interface PickProps {
  readonly label: string
  readonly fields: readonly FleetField[]
  readonly value: string | undefined
  /** Text of the choice of no column; absent: a column must be chosen. */
  readonly none?: string
  change(name: string | undefined): void
}

export function Pick({ label, fields, value, none, change }: PickProps) {
  const id = useId()
  return (
    <span className="fleet-pick">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={event => change(event.target.value === '' ? undefined : event.target.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {fields.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </span>
  )
}
