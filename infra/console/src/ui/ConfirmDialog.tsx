import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { TextField } from '../forms/Field.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from './Button.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { useAction } from './useAction.ts'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** The action: `Remove card`. */
  readonly confirm: string
  /** The button that leaves everything as it is. */
  readonly keep?: string | undefined
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
        <TextField
          label={ui.typeToConfirm(word)}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={setTyped}
        />
      )}
      <ErrorNotice error={action.error} />
    </Dialog>
  )
}

/** The texts of a button and its question, which may name a thing. */
interface QuestionTexts extends Pick<ConfirmDialogProps, 'keep'> {
  readonly button: string
  /** The button for screen readers, if several have the same text. */
  readonly named?: (name: string) => string
  readonly question: string | ((name: string) => string)
  /** The action, if the text of the button is too short for it: `Remove card`. */
  readonly confirm?: string
  /** What it does; if that depends on something, the question's children say it. */
  readonly effects?: string | object
}

interface ConfirmButtonProps extends Pick<ConfirmDialogProps, 'word' | 'onConfirm'> {
  readonly texts: QuestionTexts
  readonly children?: ReactNode
  /** The name of the thing. */
  readonly name?: string
  readonly kind?: 'plain' | 'quiet' | 'danger'
  readonly disabled?: boolean
  /** Asks as soon as it appears, as after a sign-in for the same action. */
  readonly asksAtOnce?: boolean
  readonly onClosed?: () => void
}

/** A button whose action is confirmed in a dialog first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    texts,
    name = '',
    kind = 'quiet',
    disabled = false,
    asksAtOnce = false,
    onClosed,
    children,
    ...dialog
  } = props
  const { button, named, question, confirm = button, keep, effects } = texts
  const [isAsking, setAsking] = useState(asksAtOnce)

  function close(): void {
    setAsking(false)
    onClosed?.()
  }

  return (
    <>
      <Button kind={kind} label={named?.(name)} disabled={disabled} onClick={() => setAsking(true)}>
        {button}
      </Button>
      {isAsking && (
        <ConfirmDialog
          {...dialog}
          title={typeof question === 'string' ? question : question(name)}
          confirm={confirm}
          keep={keep}
          onClose={close}
        >
          {children ?? (typeof effects === 'string' && <p>{effects}</p>)}
        </ConfirmDialog>
      )}
    </>
  )
}

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  /** Its buttons, the safe choice first. */
  readonly actions: ReactNode
  /** While something runs, Escape does not close it. */
  readonly locked?: boolean
  readonly onClose: () => void
}

/** A modal question. When it closes, the focus returns to its origin. */
export function Dialog({ title, children, actions, locked = false, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Closed before it leaves the document: otherwise the focus would not go back.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      shown?.close()
      queueMicrotask(focusHeadingIfLost)
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked) onClose()
      }}
    >
      <h2 id={heading}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">{actions}</div>
    </dialog>
  )
}

/** If the action is done, the button that opened the dialog may be gone. */
function focusHeadingIfLost(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('h1')?.focus()
}
