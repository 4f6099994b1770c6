import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type AwsPlace, awsClientConfig } from '../../awsClient.ts'

/** A document client with the timeouts of `awsClientConfig`. It leaves out attributes that are `undefined`. */
export function createDocumentClient(place: AwsPlace): DynamoDBDocumentClient {
  const client = new DynamoDBClient(awsClientConfig(place))
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}
