import { type ComponentProps, type ReactNode, useId } from 'react'
import { useTexts } from '../texts/useLocalization.ts'

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  readonly optional?: boolean
  /** The control; `id` and the ARIA attributes are for it. */
  readonly children: (attributes: ControlAttributes) => ReactNode
}

/** The attributes that tie a control to its label, hint and problem. */
export interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A control with its label; a problem is shown below it and read out with it. */
export function Field({ label, hint, problem, optional = false, children }: FieldProps) {
  const { ui } = useTexts()
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional && <span className="optional"> {ui.optional}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': problem ? true : undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'>, Omit<ComponentProps<'input'>, 'children' | 'onChange'> {
  readonly value: string
  readonly onChange: (text: string) => void
}

/** An input for a text, with its label; the other attributes are those of `input`. */
export function TextField({ label, hint, problem, optional = false, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem} optional={optional}>
      {(attributes) => <input {...attributes} {...input} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  )
}
