import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { useAction } from './useAction.ts'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** What is done: `Remove card`. */
  readonly confirm: string
  /** What leaves everything as it is. */
  readonly keep?: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back. It closes once the request has succeeded, and shows why it failed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, keep = 'Keep it', onConfirm, onClose } = props
  const action = useAction()
  return (
    <Dialog
      title={title}
      locked={action.running}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={action.running}>
            {keep}
          </Button>
          <Button
            kind="danger"
            running={action.running}
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
      <ErrorNotice error={action.error} />
    </Dialog>
  )
}
