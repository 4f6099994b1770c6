import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/**
 * A document client with timeouts: 1 s to connect and 3 s for each attempt, 3 attempts in all. It leaves out attributes
 * that are `undefined`. Credentials come from the environment. Use `endpoint` for another DynamoDB than the region's.
 */
export function createDocumentClient(options: {
  endpoint?: string | undefined
  region: string
}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK only logs a request that takes longer.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}
