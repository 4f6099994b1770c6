import { useInfiniteQuery } from '@tanstack/react-query'
import type { Snapshot } from '../loading/resource.ts'
import type { ListPage } from './readMatching.ts'

/** A list that is read page by page. */
export interface Pages<Item> {
  /** The items of the pages read so far. */
  readonly snapshot: Snapshot<readonly Item[]>
  /** Reads the pages again. */
  reload(): void
  readonly hasMore: boolean
  /** Whether the next page is being read. */
  readonly isReadingMore: boolean
  more(): void
}

/**
 * @param key names the list
 * @param load reads the page that begins at a cursor
 */
export function usePages<Item>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>,
): Pages<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
  const { data, error, isFetching, isFetchingNextPage, hasNextPage } = query
  return {
    snapshot: {
      value: data?.pages.flatMap(({ items }) => items),
      error: error ?? undefined,
      loading: isFetching,
    },
    reload: () => void query.refetch(),
    hasMore: hasNextPage,
    isReadingMore: isFetchingNextPage,
    more: () => void query.fetchNextPage(),
  }
}
