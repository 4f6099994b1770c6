import type { ReactNode } from 'react'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from './Button.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import type { Action } from './useAction.ts'

interface FormActionsProps {
  /** The request that the form sends. */
  readonly action: Action
  /** The button that sends it. */
  readonly submit: string
  readonly disabled?: boolean
  /** A field of the form says why it failed. */
  readonly isExplained?: boolean
  /** Given if the form can be closed. */
  readonly onClose?: () => void
  /** Further buttons. */
  readonly children?: ReactNode
}

/** The end of a form: why its request failed, and its buttons. */
export function FormActions(props: FormActionsProps) {
  const { action, submit, disabled = false, isExplained = false, onClose, children } = props
  const { ui } = useTexts()
  return (
    <>
      {!isExplained && <ErrorNotice error={action.error} />}
      <div className="form-actions">
        <Button kind="primary" type="submit" running={action.running} disabled={disabled}>
          {submit}
        </Button>
        {onClose && (
          <Button kind="quiet" disabled={action.running} onClick={onClose}>
            {ui.close}
          </Button>
        )}
        {children}
      </div>
    </>
  )
}
