import * as z from 'zod'

const text = z.object({ S: z.string() })
const key = z.object({ pk: text, sk: text })
const written = z.union([z.object({ Item: key }), z.object({ Key: key })])
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) })
const query = z.object({ IndexName: z.string() })
const found = z.looseObject({ Items: z.array(key.loose()) })

interface WireAnswer {
  readonly status: number
  readonly headers: string[]
  readonly bytes: Buffer
}

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
    note(operation: string, body: Buffer): void {
      if (late === undefined) return
      for (const name of keysOf(operation, JSON.parse(body.toString()))) late.add(name)
    },

    /** The answer to a query of an index, without what was written since; any other answer as it is. */
    behind(operation: string, body: Buffer, answer: WireAnswer): WireAnswer {
      if (!late?.size || operation !== 'Query' || !query.safeParse(JSON.parse(body.toString())).success) return answer
      const { success, data } = found.safeParse(JSON.parse(answer.bytes.toString()))
      if (!success) return answer
      const Items = data.Items.filter((item) => !late?.has(nameOf(item)))
      const bytes = Buffer.from(JSON.stringify({ ...data, Items, Count: Items.length }))
      return {
        status: answer.status,
        headers: ['content-type', 'application/x-amz-json-1.0', 'content-length', `${bytes.length}`],
        bytes,
      }
    },
  }
}
