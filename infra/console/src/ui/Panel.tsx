import { type ReactNode, useId } from 'react'
import { ErrorNotice } from './ErrorNotice.tsx'

interface PanelProps {
  readonly title: string
  /** What it is about. */
  readonly lead: ReactNode
  /** Why its action failed. */
  readonly error?: unknown
  /** The button or link of its action. */
  readonly children: ReactNode
}

/** A part of a page with one action. */
export function Panel({ title, lead, error, children }: PanelProps) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {typeof lead === 'string' ? <p className="muted">{lead}</p> : lead}
      <ErrorNotice error={error} />
      <div className="panel-action">{children}</div>
    </section>
  )
}
