import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** What to do about it. */
  readonly children: ReactNode
}

/** Where a list has nothing yet: says so, and what to do. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} />
      </span>
      <p className="empty-title">{title}</p>
      <div className="empty-text">{children}</div>
    </div>
  )
}
