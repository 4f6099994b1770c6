import { CreateKeyCommand, ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { createCustomerCipher, createTotpCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import type { BillingStack } from '../../support/billingStack.ts'

/**
 * Leaves what is left of ciphertexts once their key is lost: those of a key of its own, which is deleted then. The key that the functions use is the key
 * that was made in its place.
 */
export async function withLostKey(
  stack: BillingStack,
  write: (lost: {
    /** Stores another id of the organization's customer as the lost key encrypted it; the id of now, if none is given. */
    customer(organizationId: string, customerId: string): Promise<void>
    /** The cipher of a former customer. */
    cipherOf(organizationId: string, customerId: string): Promise<string>
    totp(userId: UserId): Promise<void>
  }) => Promise<void>,
): Promise<void> {
  const client = createKmsClient({ endpoint: stack.kms.endpoint, region: 'us-east-1' })
  const { KeyMetadata } = await client.send(new CreateKeyCommand({}))
  const key = { client, keyId: KeyMetadata?.KeyId ?? '' }
  const { billing, accounts } = stack.client.info.tables
  const customers = createCustomerCipher(key)
  const set = (TableName: string, Key: { pk: string; sk: string }, name: string, value: string) =>
    stack.documents.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: `SET ${name} = :value`,
        ConditionExpression: `attribute_exists(${name})`,
        ExpressionAttributeValues: { ':value': value },
      }),
    )
  await write({
    cipherOf: (organizationId, customerId) => customers.encrypt(organizationId, customerId),
    async customer(organizationId, customerId) {
      const cipher = await customers.encrypt(organizationId, customerId)
      await set(billing, { pk: `ORG#${organizationId}`, sk: 'ACCOUNT' }, 'custCipher', cipher)
    },
    async totp(userId) {
      const cipher = await createTotpCipher(key).encrypt(userId, 'JBSWY3DPEHPK3PXP')
      await set(accounts, { pk: `USER#${userId}`, sk: 'AUTHENTICATOR#TOTP' }, 'cipher', cipher)
    },
  })
  await client.send(new ScheduleKeyDeletionCommand({ KeyId: key.keyId }))
  client.destroy()
}
