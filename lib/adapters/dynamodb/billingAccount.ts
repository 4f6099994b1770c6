import * as z from 'zod'
import { gatewayNameSchema } from '../../billing/gatewayName.ts'
import type { AccountChange, BillingAccount } from '../../billing/ports.ts'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { organizationKey } from './organization.ts'
import type { TransactItem } from './transactWrite.ts'

const accountItem = z.object({
  organizationId: organizationIdSchema,
  createdAt: z.string(),
  gateway: gatewayNameSchema.default('card'),
  custRev: z.number().int().nonnegative(),
  custCipher: z.string().optional(),
  custDigest: z.string().optional(),
})

/** Billing's part of an organization's item; the gateway's customer is in it only as ciphertext and digest. */
export function parseBillingAccount(item: Record<string, unknown>): BillingAccount {
  const { organizationId, createdAt, gateway, custRev, custCipher, custDigest } = accountItem.parse(item)
  return {
    organizationId,
    createdAt,
    gateway,
    customerRev: custRev,
    ...(custCipher && custDigest && { customer: { cipher: custCipher, digest: custDigest } }),
  }
}

/** Passes only while the organization has the customer that was read, or still none. */
export function checkCustomerRev(
  table: string,
  { organizationId, customerRev }: Pick<BillingAccount, 'organizationId' | 'customerRev'>,
): TransactItem {
  return {
    ConditionCheck: {
      TableName: table,
      Key: organizationKey(organizationId),
      ConditionExpression: 'custRev = :rev',
      ExpressionAttributeValues: { ':rev': customerRev },
    },
  }
}

/** Forgets the customer with this digest; fails where the organization has another one or none. */
export function forgetCustomer(table: string, organizationId: OrganizationId, digest: string): TransactItem {
  return {
    Update: {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression: 'SET custRev = custRev + :one REMOVE custCipher, custDigest',
      ConditionExpression: 'custDigest = :digest',
      ExpressionAttributeValues: { ':one': 1, ':digest': digest },
    },
  }
}

/** What of the account remembers the last change of what only the gateway keeps. */
const remembered = {
  'default card': 'lastDefaultCard',
  'removed card': 'lastRemovedCard',
  details: 'lastDetails',
} as const satisfies Record<AccountChange['of'], string>

/** Remembers a change; fails where it is the one remembered already. */
export function rememberChange(
  table: string,
  organizationId: OrganizationId,
  { of, value }: AccountChange,
): TransactItem {
  return {
    Update: {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression: 'SET #last = :value',
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(#last) OR #last <> :value)',
      ExpressionAttributeNames: { '#last': remembered[of] },
      ExpressionAttributeValues: { ':value': value },
    },
  }
}
