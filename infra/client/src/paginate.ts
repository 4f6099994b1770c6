import { asDocumented } from './asDocumented.ts'

type ItemOf<Page> = { [Name in keyof Page]: Page[Name] extends readonly (infer Item)[] ? Item : never }[keyof Page]

/**
 * Every item of a list, page by page, each asked for when it is needed: `for await (const invoice of paginate(client.listInvoices,
 * { query }))`.
 * @param list an operation whose answer has a `next_cursor`
 * @param options its options; `query.limit` is the size of a page
 */
export async function* paginate<
  Options extends { query?: { cursor?: string | undefined } | undefined },
  Page extends { next_cursor: string | null },
>(list: (options: Options) => Promise<Page>, options: Options): AsyncGenerator<ItemOf<Page>, void, undefined> {
  for (let next: string | null | undefined = options.query?.cursor; next !== null; ) {
    const query = { ...options.query, ...(next !== undefined && { cursor: next }) }
    const page: Page = await list({ ...options, query })
    yield* asDocumented(Object.values(page).find(Array.isArray) ?? [])
    next = page.next_cursor
  }
}
