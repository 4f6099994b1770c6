import type { ReactNode } from 'react'
import { type Loading, Skeleton } from '../loading/Skeleton.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import type { Pages } from './usePages.ts'

interface PagedListProps<Item> {
  readonly pages: Pages<Item>
  /** The name of the items, for screen readers. */
  readonly what: Loading
  /** Shown if the list is empty. */
  readonly empty: ReactNode
  readonly children: (items: readonly Item[]) => ReactNode
}

/** A list that is read page by page, with a button for the next page. */
export function PagedList<Item>({ pages, what, empty, children }: PagedListProps<Item>) {
  const { ui } = useTexts()
  const { snapshot, reload, hasMore, isReadingMore, more } = pages
  const { value, error, loading } = snapshot
  if (value === undefined)
    return error === undefined ? (
      <Skeleton what={what} rows={4} />
    ) : (
      <ErrorNotice error={error} retrying={loading} onRetry={reload} />
    )
  return (
    <>
      {value.length > 0 ? children(value) : hasMore ? <p className="muted">{ui.nothingNewer}</p> : empty}
      <ErrorNotice error={error} retrying={loading} onRetry={reload} />
      {hasMore && (
        <div className="more">
          <Button running={isReadingMore} onClick={more}>
            {ui.showMore}
          </Button>
        </div>
      )}
    </>
  )
}
