import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Field } from './Field.tsx'
import { useAction } from './useAction.ts'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** The action: `Remove card`. */
  readonly confirm: string
  /** The button that leaves everything as it is. */
  readonly keep?: string
  /** The text that the user must type first, such as a name, if the action has far-reaching effects. */
  readonly word?: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back. It closes once the request has succeeded, and shows why it failed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, keep, word, onConfirm, onClose } = props
  const { ui } = useTexts()
  const [typed, setTyped] = useState('')
  const action = useAction()
  return (
    <Dialog
      title={title}
      locked={action.running}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={action.running}>
            {keep ?? ui.keep}
          </Button>
          <Button
            kind="danger"
            running={action.running}
            disabled={word !== undefined && typed.trim() !== word}
            onClick={async () => {
              if (await action.run(onConfirm)) onClose()
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {word !== undefined && (
        <Field label={ui.typeToConfirm(word)}>
          {(attributes) => (
            <input
              {...attributes}
              value={typed}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      )}
      <ErrorNotice error={action.error} />
    </Dialog>
  )
}
