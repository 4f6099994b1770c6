import type { FormEvent, ReactNode } from 'react'
import { FormActions } from '../ui/FormActions.tsx'
import type { Action } from '../ui/useAction.ts'
import { SignedInAgain } from './SignedInAgain.tsx'

interface CredentialFormProps {
  /** Of its heading. */
  readonly id: string
  readonly className?: string
  readonly texts: { readonly title: string; readonly lead: string; readonly again: string; readonly button: string }
  /** Whether the user has just signed in again for it. */
  readonly isSignedIn: boolean
  readonly action: Action
  /** The problems of its fields. */
  readonly problems: object
  readonly disabled: boolean
  readonly onSubmit: () => Promise<void>
  /** Beside the button that sends it. */
  readonly buttons?: ReactNode
  /** Its fields. */
  readonly children: ReactNode
}

/** A form that changes how the user signs in, with the current password: its heading, fields and buttons. */
export function CredentialForm(props: CredentialFormProps) {
  const { id, className = '', texts, isSignedIn, action, problems, disabled, onSubmit, buttons, children } = props

  function submit(event: FormEvent): void {
    event.preventDefault()
    void onSubmit()
  }

  return (
    <form className={`panel form ${className}`.trim()} aria-labelledby={id} onSubmit={submit} noValidate>
      <h2 id={id}>{texts.title}</h2>
      <p className="muted">{texts.lead}</p>
      {isSignedIn && <SignedInAgain text={texts.again} />}
      {children}
      <FormActions
        action={action}
        submit={texts.button}
        disabled={disabled}
        isExplained={Object.keys(problems).length > 0}
      >
        {buttons}
      </FormActions>
    </form>
  )
}
