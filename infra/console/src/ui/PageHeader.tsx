import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../texts/useLocalization.ts'

interface PageHeaderProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children?: ReactNode
}

let isFirstPage = true

/** The heading of a page. After a change of page it takes the focus, so that a screen reader reads on from there. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  const { app } = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = app.title(title)
  }, [title, app])
  // Only when it appears: in another language it is the same page.
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus()
    isFirstPage = false
  }, [])
  return (
    <header className="page-header">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className="lead">{lead}</p>}
      </div>
      {children && <div className="page-actions">{children}</div>}
    </header>
  )
}
