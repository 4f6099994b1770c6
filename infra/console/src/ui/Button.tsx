import type { ReactNode } from 'react'

interface ButtonProps {
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly type?: 'button' | 'submit'
  /** A request of this button is under way: it takes no other click, and keeps the focus. */
  readonly running?: boolean
  readonly disabled?: boolean
  readonly wide?: boolean
  readonly label?: string | undefined
}

/** A button. When it is disabled, it stays reachable by keyboard, so that the focus is not lost. */
export function Button(props: ButtonProps) {
  const { children, onClick, kind = 'plain', type = 'button', running = false, disabled = false, wide, label } = props
  const blocked = running || disabled
  return (
    <button
      type={blocked ? 'button' : type}
      className={`button ${kind}${wide ? ' wide' : ''}`}
      aria-disabled={blocked || undefined}
      aria-busy={running || undefined}
      aria-label={label}
      onClick={blocked ? undefined : onClick}
    >
      {running && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}
