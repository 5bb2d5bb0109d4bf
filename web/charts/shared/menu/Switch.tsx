/** Buttons side by side, of which one is pressed. */

export interface SwitchProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [T, string])[]
  readonly onChange: (value: T) => void
}

export function Switch<T extends string>({ label, value, options, onChange }: SwitchProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be inside a line of text
    <span className="chart-tools chart-switch" role="group" aria-label={label}>
      {options.map(([key, name]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onChange(key)}>
          {name}
        </button>
      ))}
    </span>
  )
}
