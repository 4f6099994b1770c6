import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { MailSettings } from '../../users/ports.ts'
import { whileLive } from './callerStore.ts'
import { userKey } from './keys.ts'
import { updateItem } from './kit/writeItem.ts'

/** `MailSettings` on DynamoDB: attributes of the user in the table `accounts`. */
export function createMailSettings(client: DynamoDBDocumentClient, TableName: string): MailSettings {
  return {
    async noteLanguage(userId, language) {
      await updateItem(client, {
        TableName,
        Key: userKey(userId),
        UpdateExpression: 'SET mailLanguage = :language',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(mailLanguage) OR mailLanguage <> :language)',
        ExpressionAttributeValues: { ':language': language },
      })
    },

    async setSignInMails(caller, signInMails) {
      const live = whileLive(caller)
      const result = await updateItem(client, {
        TableName,
        Key: userKey(caller.userId),
        UpdateExpression: 'SET signInMails = :signInMails',
        ConditionExpression: live.ConditionExpression,
        ExpressionAttributeValues: { ...live.ExpressionAttributeValues, ':signInMails': signInMails },
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}
