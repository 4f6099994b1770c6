import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { IconName } from '../ui/Icon.tsx'

interface NoMatchProps {
  readonly icon: IconName
  readonly texts: { readonly none: string; readonly showAll: string }
  /** Takes the filter back. */
  readonly onShowAll: () => void
}

/** Shown if a filter leaves nothing of a list. */
export function NoMatch({ icon, texts, onShowAll }: NoMatchProps) {
  return (
    <EmptyState icon={icon} title={texts.none}>
      <Button onClick={onShowAll}>{texts.showAll}</Button>
    </EmptyState>
  )
}
