/** A list in the head of a chart, of which one option is chosen: no wider than its name. */

interface ListChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [T, string])[]
  readonly onChange: (value: T) => void
}

export function Choice<T extends string>({ label, value, options, onChange }: ListChoiceProps<T>) {
  return (
    <label className="chart-choice">
      <span className="visually-hidden">{label}</span>
      <select
        value={value}
        title={label}
        onChange={event => {
          const chosen = options.find(([key]) => key === event.target.value)
          if (chosen) onChange(chosen[0])
        }}
      >
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
