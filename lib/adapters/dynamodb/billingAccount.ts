import * as z from 'zod'
import { gatewayNameSchema } from '../../billing/gatewayName.ts'
import type { AccountChange, BillingAccount, CustomerName } from '../../billing/ports.ts'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { organizationKey } from './organization.ts'
import type { TransactItem } from './transactWrite.ts'

const accountItem = z.object({
  organizationId: organizationIdSchema,
  name: z.string(),
  createdAt: z.string(),
  gateway: gatewayNameSchema.default('card'),
  daysUntilDue: z.int().positive().optional(),
  custRev: z.number().int().nonnegative(),
  custCipher: z.string().optional(),
  custDigest: z.string().optional(),
  custRequest: z.object({ name: z.string(), email: z.string().exactOptional() }).optional(),
})

/** Billing's part of an organization's item; the gateway's customer is in it only as ciphertext and digest. */
export function parseBillingAccount(item: Record<string, unknown>): BillingAccount {
  const { organizationId, name, createdAt, gateway, daysUntilDue, custRev, custCipher, custDigest, custRequest } =
    accountItem.parse(item)
  return {
    organizationId,
    name,
    createdAt,
    gateway,
    customerRev: custRev,
    ...(daysUntilDue !== undefined && { daysUntilDue }),
    ...(custCipher && custDigest && { customer: { cipher: custCipher, digest: custDigest } }),
    ...(custRequest && { customerRequest: custRequest }),
  }
}

/** Passes only while the organization has the customer that was read, or still none. */
export function checkCustomerRev(table: string, { organizationId, customerRev }: CustomerName): TransactItem {
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
