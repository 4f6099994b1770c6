import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'

/** Sets attributes of a stored item, past the service. */
export async function setAttributes(
  documents: DynamoDBDocumentClient,
  TableName: string,
  Key: { readonly pk: string; readonly sk: string },
  attributes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(attributes)
  await documents.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
    }),
  )
}
