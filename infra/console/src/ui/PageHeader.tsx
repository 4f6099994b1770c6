import { type ReactNode, useEffect, useRef } from 'react'
import { useDocumentTitle } from './useDocumentTitle.ts'

interface PageHeaderProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children?: ReactNode
}

let isFirstPage = true

/** The heading of a page. After a change of page it takes the focus, so that a screen reader reads on from there. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
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
