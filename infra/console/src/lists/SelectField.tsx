import { Field } from '../ui/Field.tsx'

interface SelectFieldProps<Value extends string> {
  readonly label: string
  readonly value: Value
  /** The values with their texts, in the order of the list. */
  readonly options: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
}

/** A choice of one of several values, with its label. */
export function SelectField<Value extends string>({ label, value, options, onChange }: SelectFieldProps<Value>) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={(event) => {
            const chosen = options.find(([one]) => one === event.target.value)
            if (chosen !== undefined) onChange(chosen[0])
          }}
        >
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
