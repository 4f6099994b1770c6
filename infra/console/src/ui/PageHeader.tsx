import { type ReactNode, useEffect, useRef } from 'react'

interface PageHeaderProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children?: ReactNode
}

let isFirstPage = true

/** The heading of a page. After a change of page it takes the focus, so that a screen reader reads on from there. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Console`
    if (!isFirstPage) heading.current?.focus()
    isFirstPage = false
  }, [title])
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
