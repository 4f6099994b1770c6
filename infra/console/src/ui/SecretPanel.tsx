import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface SecretPanelProps {
  readonly title: string
  /** What to do with the secret, or that it was lost. */
  readonly notice: string
  /** The secret, to be copied. */
  readonly children?: ReactNode
  readonly done: string
  readonly onDone: () => void
}

/** A new secret, shown only once. It is no dialog: no key that closes a dialog can lose the secret. Takes the focus when it appears. */
export function SecretPanel({ title, notice, children, done, onDone }: SecretPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' })
    heading.current?.focus()
  }, [])
  return (
    <section className="panel secret" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p className="notice warn">
        <Icon name="alert" />
        {notice}
      </p>
      {children}
      <div className="form-actions">
        <Button kind="primary" onClick={onDone}>
          {done}
        </Button>
      </div>
    </section>
  )
}
