import * as z from 'zod'

const text = z.object({ S: z.string() })
const key = z.object({ pk: text, sk: text })
const written = z.union([z.object({ Item: key }), z.object({ Key: key })])
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) })
const query = z.object({ IndexName: z.string() })
const found = z.looseObject({ Items: z.array(key.loose()) })

/** What global secondary indexes are on AWS and on no local DynamoDB: behind the table, here by everything since `begin`. */
export function createIndexLag() {
  let late: Set<string> | undefined
  const nameOf = ({ pk, sk }: z.infer<typeof key>) => `${pk.S} ${sk.S}`

  /** Every key that a call writes. */
  function keysOf(operation: string, input: unknown): string[] {
    const items =
      operation === 'TransactWriteItems'
        ? (transaction.safeParse(input).data?.TransactItems ?? []).flatMap(({ ConditionCheck: _, ...item }) =>
            Object.values(item),
          )
        : ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation)
          ? [input]
          : []
    return items.flatMap((item) => {
      const { data } = written.safeParse(item)
      return data === undefined ? [] : [nameOf('Item' in data ? data.Item : data.Key)]
    })
  }

  return {
    begin(): void {
      late = new Set()
    },
    end(): void {
      late = undefined
    },

    /** Takes down what a call is about to write. */
    note(operation: string, body: string): void {
      if (late === undefined) return
      for (const name of keysOf(operation, JSON.parse(body))) late.add(name)
    },

    /** Whether a call queries an index that is behind. */
    isBehind: (operation: string, body: string): boolean =>
      Boolean(late?.size) && operation === 'Query' && query.safeParse(JSON.parse(body)).success,

    /** The body of an answer to such a query, without what was written since. */
    behind(body: string): string {
      const { success, data } = found.safeParse(JSON.parse(body))
      if (!success) return body
      const Items = data.Items.filter((item) => !late?.has(nameOf(item)))
      return JSON.stringify({ ...data, Items, Count: Items.length })
    },
  }
}
