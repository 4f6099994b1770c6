import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

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
