import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Endpoint } from '../../events/ports.ts'
import { endpointKey } from './eventKeys.ts'

/** Writes endpoints for the seed and the tests, without checking their URL or counting them. */
export function createEndpointSeed(client: DynamoDBDocumentClient, TableName: string) {
  return {
    /** Creates the endpoint, which hears every type. If it exists, it is enabled again, with this URL and secret. */
    async put(
      { owner, id, url, description, createdAt }: Pick<Endpoint, 'owner' | 'id' | 'url' | 'description' | 'createdAt'>,
      secretCipher: string,
    ): Promise<void> {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: endpointKey(owner, id),
          UpdateExpression:
            'SET id = :id, #url = :url, description = :description, enabled = :true, secret = :secret, createdAt = if_not_exists(createdAt, :at) REMOVE disabledReason, failingSince, slowUntil',
          ExpressionAttributeNames: { '#url': 'url' },
          ExpressionAttributeValues: {
            ':id': id,
            ':url': url,
            ':description': description,
            ':true': true,
            ':secret': secretCipher,
            ':at': createdAt,
          },
        }),
      )
    },
  }
}
