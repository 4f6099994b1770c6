import { type ReactElement, type ReactNode, useId } from 'react'

interface RowSectionProps {
  readonly title: string
  /** The rows, which the heading counts. */
  readonly children: readonly ReactElement[]
  /** Shown instead of no rows. */
  readonly empty?: ReactNode
  readonly hint?: string
}

/** A titled list of rows with their number. */
export function RowSection({ title, children, empty, hint }: RowSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="count">{children.length}</span>
      </h2>
      {children.length === 0 ? empty : <ul className="rows">{children}</ul>}
      {hint && <p className="hint">{hint}</p>}
    </section>
  )
}
