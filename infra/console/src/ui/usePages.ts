import { useCallback, useMemo, useState } from 'react'
import { createResource, type Snapshot, useResource } from './resource.ts'
import { type Action, useAction } from './useAction.ts'

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** A list that is read page by page. */
export interface Pages<Item> {
  /** The pages read so far. */
  readonly snapshot: Snapshot<Page<Item>>
  /** Reads the first page again. */
  reload(): void
  /** Reading the next page; if it fails, nothing is lost. */
  readonly action: Action
  more(): void
}

/** @param load reads the page that begins at a cursor; a stable function, or the list is read again */
export function usePages<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Pages<Item> {
  const resource = useMemo(() => createResource(() => load(undefined)), [load])
  const snapshot = useResource(resource)
  const action = useAction()
  const [, redraw] = useState(0)
  const { run } = action

  const more = useCallback(() => {
    const { value } = resource.snapshot()
    if (value?.next == null) return
    const { items, next } = value
    void run(async () => {
      const page = await load(next)
      resource.set({ items: [...items, ...page.items], next: page.next })
    }).then(() => redraw((count) => count + 1))
  }, [resource, load, run])

  return { snapshot, reload: () => void resource.reload(), action, more }
}
