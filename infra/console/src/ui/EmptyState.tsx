import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** The next step. */
  readonly children: ReactNode
}

/** Shown when a list is still empty, with the next step. */
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
