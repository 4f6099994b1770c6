import type { ReactNode } from 'react'
import { useLocalization } from '../texts/useLocalization.ts'
import { Icon, type IconName } from './Icon.tsx'

/** Things that happened, newest first. @param children `TimelineEntry`s */
export function Timeline({ children }: { readonly children: ReactNode }) {
  return <ol className="timeline panel">{children}</ol>
}

interface TimelineEntryProps {
  readonly icon: IconName
  /** RFC 3339. */
  readonly at: string
  /** What happened. */
  readonly children: ReactNode
}

export function TimelineEntry({ icon, at, children }: TimelineEntryProps) {
  const { format } = useLocalization()
  return (
    <li className="entry">
      <span className="row-icon small-icon">
        <Icon name={icon} />
      </span>
      <p>{children}</p>
      <time className="muted small" dateTime={at}>
        {format.time(at)}
      </time>
    </li>
  )
}
