import { Field } from './Field.tsx'

/** A value with its text. */
type Option<Value extends string> = readonly [Value, string]

/** Options from texts by their values, in the order of the keys. */
export function optionsOf<Value extends string>(texts: Readonly<Record<Value, string>>): readonly Option<Value>[] {
  const isValue = (key: string): key is Value => key in texts
  return Object.keys(texts)
    .filter(isValue)
    .map((value) => [value, texts[value]] as const)
}

interface SelectFieldProps<Value extends string> {
  readonly label: string
  readonly hint?: string
  readonly value: Value
  /** In the order of the list. */
  readonly options: readonly Option<Value>[]
  readonly onChange: (value: Value) => void
}

/** A choice of one of several values, with its label. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, value, options, onChange } = props
  return (
    <Field label={label} hint={hint}>
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
