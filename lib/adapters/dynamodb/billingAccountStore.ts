import * as z from 'zod/mini'
import { type GatewayName, gatewayNameSchema } from '../../billing/gateway/gatewayName.ts'
import type {
  AccountChange,
  BillingAccount,
  CardFence,
  CustomerBinding,
  PayingAccount,
  PaymentTerms,
} from '../../billing/slot/ports.ts'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import {
  organizationKey,
  signInRulesSchema,
  signOnRuleSchema,
  throttleSchema,
  verifiedDomainsSchema,
} from './organizationItem.ts'

/** The gateway of an organization if its item names none. */
const gatewayWhereNone: GatewayName = 'card'

const accountItem = z.object({
  organizationId: organizationIdSchema,
  name: z.string(),
  createdAt: z.string(),
  gateway: z._default(gatewayNameSchema, gatewayWhereNone),
  daysUntilDue: z.optional(z.int().check(z.positive())),
  custRev: z.int().check(z.nonnegative()),
  custCipher: z.optional(z.string()),
  custDigest: z.optional(z.string()),
  formerCustomers: z.exactOptional(z.array(z.object({ cipher: z.string(), digest: z.string() }))),
  custRequest: z.optional(z.object({ name: z.string(), email: z.exactOptional(z.string()) })),
  cardFence: z.exactOptional(z.object({ owner: z.string(), until: z.number(), card: z.exactOptional(z.string()) })),
  deletion: z.optional(z.unknown()),
  throttle: z.exactOptional(throttleSchema),
  signInRules: z.exactOptional(signInRulesSchema),
  signOn: z.exactOptional(signOnRuleSchema),
  verifiedDomains: z.exactOptional(verifiedDomainsSchema),
})

/** Billing's part of an organization's item; the gateway's customer is in it only as ciphertext and digest. */
export function parseBillingAccount(item: Record<string, unknown>): BillingAccount {
  const { custRev, custCipher, custDigest, custRequest, deletion, daysUntilDue, ...account } = accountItem.parse(item)
  return {
    ...account,
    customerRev: custRev,
    ...(daysUntilDue !== undefined && { daysUntilDue }),
    ...(custCipher && custDigest && { customer: { cipher: custCipher, digest: custDigest } }),
    ...(custRequest && { customerRequest: custRequest }),
    ...(deletion !== undefined && { isBeingDeleted: true }),
  }
}

/**
 * Passes only while the organization has the customer that was read, or still none, pays as was read, no other removal of a card has begun or
 * ended, and it is not being deleted.
 */
export function checkAccount(table: string, account: PayingAccount): TransactItem {
  return {
    ConditionCheck: { TableName: table, Key: organizationKey(account.organizationId), ...accountAsRead(account) },
  }
}

function accountAsRead({ customerRev, cardFence, ...terms }: PayingAccount) {
  const { condition, values } = termsAsRead(terms)
  const fenced = cardFence === undefined ? 'attribute_not_exists(cardFence)' : 'cardFence.#owner = :fence'
  return {
    ConditionExpression: `custRev = :rev AND attribute_not_exists(deletion) AND ${fenced} AND ${condition}`,
    ExpressionAttributeValues: { ...values, ':rev': customerRev, ...(cardFence && { ':fence': cardFence.owner }) },
    ...(cardFence && { ExpressionAttributeNames: { '#owner': 'owner' } }),
  }
}

/** Fences purchases off while a card is removed; fails if the account is not as it was read. */
export function fenceAccount(table: string, account: PayingAccount, fence: CardFence): TransactItem {
  const { ExpressionAttributeValues, ...condition } = accountAsRead(account)
  return {
    Update: {
      TableName: table,
      Key: organizationKey(account.organizationId),
      UpdateExpression: 'SET cardFence = :new',
      ...condition,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':new': fence },
    },
  }
}

/** Ends a fence; fails if it is another invocation's. */
export function unfenceAccount(table: string, organizationId: OrganizationId, { owner }: CardFence) {
  return {
    TableName: table,
    Key: organizationKey(organizationId),
    UpdateExpression: 'REMOVE cardFence',
    ConditionExpression: 'cardFence.#owner = :owner',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':owner': owner },
  }
}

/** The condition that the item has these terms. An item without a gateway has `card`, as when it is parsed. */
function termsAsRead({ gateway, daysUntilDue }: PaymentTerms) {
  const served =
    gateway === gatewayWhereNone ? '(attribute_not_exists(gateway) OR gateway = :gateway)' : 'gateway = :gateway'
  const due = daysUntilDue === undefined ? 'attribute_not_exists(daysUntilDue)' : 'daysUntilDue = :days'
  return {
    condition: `${served} AND ${due}`,
    values: { ':gateway': gateway, ...(daysUntilDue !== undefined && { ':days': daysUntilDue }) },
  }
}

/** Changes how the organization pays; fails if that has changed since it was read. */
export function changeTerms(
  table: string,
  { organizationId, ...from }: Pick<PayingAccount, 'organizationId' | keyof PaymentTerms>,
  { gateway, daysUntilDue }: PaymentTerms,
): TransactItem {
  const { condition, values } = termsAsRead(from)
  return {
    Update: {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression: `SET gateway = :newGateway${daysUntilDue === undefined ? ' REMOVE daysUntilDue' : ', daysUntilDue = :newDays'}`,
      ConditionExpression: `attribute_exists(pk) AND ${condition}`,
      ExpressionAttributeValues: {
        ...values,
        ':newGateway': gateway,
        ...(daysUntilDue !== undefined && { ':newDays': daysUntilDue }),
      },
    },
  }
}

/** Makes a customer a former customer; fails if the organization has another customer or none. */
export function forgetCustomer(table: string, organizationId: OrganizationId, customer: CustomerBinding): TransactItem {
  return {
    Update: {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression:
        'SET custRev = custRev + :one, formerCustomers = list_append(if_not_exists(formerCustomers, :none), :former) REMOVE custCipher, custDigest',
      ConditionExpression: 'custDigest = :digest',
      ExpressionAttributeValues: { ':one': 1, ':digest': customer.digest, ':none': [], ':former': [customer] },
    },
  }
}

/** What of the account remembers the last change of what only the gateway keeps. */
const remembered = {
  default_card: 'lastDefaultCard',
  removed_card: 'lastRemovedCard',
  details: 'lastDetails',
  expiring_card: 'lastExpiringCard',
} as const satisfies Record<AccountChange['of'], string>

/** Remembers a change; fails if it is remembered already. */
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
