import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Field } from './Field.tsx'
import { useAction } from './useAction.ts'

interface TypedConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** What has to be typed, such as a name. */
  readonly word: string
  /** What is done: `Delete organization`. */
  readonly confirm: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something with far-reaching effects, and wants its name typed. It closes once the request has succeeded. */
export function TypedConfirmDialog(props: TypedConfirmDialogProps) {
  const { title, children, word, confirm, onConfirm, onClose } = props
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
            Keep it
          </Button>
          <Button
            kind="danger"
            running={action.running}
            disabled={typed.trim() !== word}
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
      <Field label={`Type “${word}” to confirm`}>
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
      <ErrorNotice error={action.error} />
    </Dialog>
  )
}
