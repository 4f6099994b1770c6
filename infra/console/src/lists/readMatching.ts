/** A page of a list, and where the next begins. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** What a person looks for in a list that is read newest first. */
interface Wanted<Item> {
  readonly matches: (item: Item) => boolean
  /** This item and those after it are older than anything that matches. */
  readonly isPast: (item: Item) => boolean
}

/** As many pages are read for one page of matches; the person asks for more. */
const MAX_PAGES = 10

/**
 * Reads pages of a list, newest first, until a page of items that match is full or nothing can match any more. A page may stay short, or
 * empty, with a `next`: then nothing newer matches.
 * @param size how many items make a page full
 */
export async function readMatching<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
  cursor: string | undefined,
  { matches, isPast, size }: Wanted<Item> & { readonly size: number },
): Promise<ListPage<Item>> {
  const items: Item[] = []
  let next: string | null | undefined = cursor
  for (let pages = 0; next !== null && pages < MAX_PAGES && items.length < size; pages += 1) {
    const page: ListPage<Item> = await read(next)
    items.push(...page.items.filter((item) => matches(item) && !isPast(item)))
    next = page.items.some(isPast) ? null : page.next
  }
  return { items, next: next ?? null }
}

/** Everything that matches. Reads no further than it must. */
export async function collectMatching<Item>(
  items: AsyncIterable<Item>,
  { matches, isPast }: Wanted<Item>,
): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) {
    if (isPast(item)) break
    if (matches(item)) found.push(item)
  }
  return found
}
