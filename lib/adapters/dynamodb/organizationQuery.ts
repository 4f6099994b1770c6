import { type DynamoDBDocumentClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Item } from './readItems.ts'
import { storeUnavailable } from './storeUnavailable.ts'

/**
 * Every page of a query.
 * @throws CommonError `service_unavailable`
 */
export async function queryItems(client: DynamoDBDocumentClient, query: QueryCommandInput): Promise<Item[]> {
  const items: Item[] = []
  try {
    for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items)
  } catch (error) {
    throw storeUnavailable(error)
  }
  return items
}
