import * as z from 'zod/mini'

/** A string attribute of an item in a stream of DynamoDB. */
export const streamText = z.object({ S: z.string() })

/** The records of a stream that a function is called with; absent if a schedule calls it. `item` has what the function reads of each. */
export function streamRecords<Item extends z.core.$ZodShape>(item: Item) {
  return z.optional(z.array(z.object({ dynamodb: z.object({ SequenceNumber: z.string(), ...item }) })))
}

/** Which records of its batch a function could not handle: the stream brings them again. */
export const batchReport = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) })

/** Reports these records, named by their numbers in the stream. */
export function toBatchReport(failed: readonly string[]): z.output<typeof batchReport> {
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
}
