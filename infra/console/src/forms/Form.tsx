import { type ReactNode, type Ref, useId } from 'react'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import type { Action } from '../ui/useAction.ts'

interface FormProps {
  /** The request that it sends, and whether a field says why that failed. */
  readonly form: { readonly action: Action; readonly isExplained?: boolean }
  readonly texts: {
    /** Left out if the heading of the page is enough. */
    readonly title?: string
    readonly lead?: string
    /** The button that sends it. */
    readonly button: string
  }
  /** Of its title. */
  readonly level?: 2 | 4
  readonly className?: string
  readonly ref?: Ref<HTMLFormElement>
  readonly disabled?: boolean
  readonly onSubmit: () => Promise<void>
  /** Given if it can be closed. */
  readonly onClose?: (() => void) | undefined
  /** Further buttons. */
  readonly buttons?: ReactNode
  /** Its fields. */
  readonly children: ReactNode
}

/** A form with its title and fields, then why its request failed, and its buttons. */
export function Form(props: FormProps) {
  const { form, texts, level = 2, className = 'panel form', ref, disabled = false } = props
  const { onSubmit, onClose, buttons, children } = props
  const { action, isExplained = false } = form
  const { title, lead, button } = texts
  const { ui } = useTexts()
  const id = useId()
  const Heading = level === 4 ? 'h4' : 'h2'
  return (
    <form
      ref={ref}
      className={className}
      aria-labelledby={title && id}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
      noValidate
    >
      {title && <Heading id={id}>{title}</Heading>}
      {lead && <p className="muted">{lead}</p>}
      {children}
      {!isExplained && <ErrorNotice error={action.error} />}
      <div className="form-actions">
        <Button kind="primary" type="submit" running={action.running} disabled={disabled}>
          {button}
        </Button>
        {onClose && (
          <Button kind="quiet" disabled={action.running} onClick={onClose}>
            {ui.close}
          </Button>
        )}
        {buttons}
      </div>
    </form>
  )
}
