import { isDeepStrictEqual } from 'node:util'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { products } from '../../billing/catalog.ts'
import type { BillingAccount, BillingRecords, CustomerBinding, CustomerName } from '../../billing/slot/ports.ts'
import { emptySlot, type Slot } from '../../billing/slot/slot.ts'
import { CommonError } from '../../core/errors.ts'
import { type AnyCaller, isApiClient, isServiceClient } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Role } from '../../organizations/ports.ts'
import { putAuditEntry, transactWithEntry } from './auditLogStore.ts'
import {
  changeTerms,
  checkAccount,
  fenceAccount,
  forgetCustomer,
  parseBillingAccount,
  rememberChange,
  unfenceAccount,
} from './billingAccountStore.ts'
import { creatorOf, factsOfCaller, readWithCaller } from './callerStore.ts'
import { announceOnce, putEvent } from './eventStore.ts'
import { type FindItem, type Item, type Key, queryItems, readItems, readTransaction } from './kit/readItems.ts'
import { hasOnlyFailed, transactWrite, transactWriteOrConflict, writeAll } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'
import { membershipKey, parseMembership } from './membershipStore.ts'
import { putMoneyMail } from './moneyMailStore.ts'
import { organizationIdOf, organizationKey } from './organizationItem.ts'
import { redemptionKeys, writeRedemption } from './redemptionStore.ts'
import { checkSlotAsRead, checkSlotFree, parseSlot, putSlot, slotKey } from './slotStore.ts'

/** What came of a change of an account that was without a customer when it was read. */
type UnboundChange =
  | { readonly kind: 'written'; readonly account: BillingAccount }
  | { readonly kind: 'bound'; readonly customer: CustomerBinding }

/** `BillingRecords` on DynamoDB, in the table `billing`, with its changes in `auditLog`, and its callers in `accounts`. */
export function createBillingRecords(
  client: DynamoDBDocumentClient,
  tables: {
    accounts: string | undefined
    billing: string
    auditLog: string | undefined
    events?: string | undefined
  },
): BillingRecords {
  const table = tables.billing
  const find = (keys: readonly Key[]) => readItems(client, table, keys)
  const findFor = (caller: AnyCaller, keys: readonly Key[]) =>
    readWithCaller(client, tables.accounts, caller, [{ table, keys }])

  /** Changes the account while no customer is bound to it; otherwise returns the bound customer. */
  async function whileUnbound(
    { organizationId, customerRev }: CustomerName,
    { UpdateExpression, values }: { UpdateExpression: string; values: Record<string, unknown> },
  ): Promise<UnboundChange> {
    const result = await updateItem(client, {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression,
      ConditionExpression: 'custRev = :rev AND attribute_not_exists(custCipher) AND attribute_not_exists(deletion)',
      ExpressionAttributeValues: { ...values, ':rev': customerRev },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    if (result.kind === 'written') return { kind: 'written', account: parseBillingAccount(result.item ?? {}) }
    const customer = result.stored && parseBillingAccount(result.stored).customer
    if (!customer) throw new CommonError('service_unavailable', { message: 'the account changed meanwhile' })
    return { kind: 'bound', customer }
  }

  return {
    async read(organizationId, caller, wanted = products) {
      const own = ownKeys(organizationId, caller)
      const slots = wanted.map((product) => emptySlot(organizationId, product))
      const item = await findFor(caller, [...own, ...slots.map(slotKey)])
      return {
        role: roleIn(item, organizationId, caller),
        ...factsOfCaller(caller, item),
        ...creatorOf(caller, item),
        account: account(item(organizationKey(organizationId))),
        slots: slots.map((slot) => stored(item(slotKey(slot))) ?? slot),
      }
    },

    async readSlots(organizationId) {
      const slots = products.map((product) => emptySlot(organizationId, product))
      const item = await find([organizationKey(organizationId), ...slots.map(slotKey)])
      return {
        account: account(item(organizationKey(organizationId))),
        slots: slots.map((slot) => stored(item(slotKey(slot))) ?? slot),
      }
    },

    async findOrganizations(customerDigest) {
      const items = await queryItems(client, {
        TableName: table,
        IndexName: 'customers',
        KeyConditionExpression: 'custDigest = :digest',
        ExpressionAttributeValues: { ':digest': customerDigest },
      })
      return items.map(organizationIdOf)
    },

    async readSlot(organizationId, product) {
      const slot = emptySlot(organizationId, product)
      const item = await find([organizationKey(organizationId), slotKey(slot)])
      return { account: account(item(organizationKey(organizationId))), slot: stored(item(slotKey(slot))) ?? slot }
    },

    async readAccount(organizationId) {
      const key = organizationKey(organizationId)
      return account((await find([key]))(key))
    },

    async readTogether(organizationId, wanted) {
      const slots = wanted.map((product) => emptySlot(organizationId, product))
      const own = organizationKey(organizationId)
      const item = await readTransaction(client, table, [own, ...slots.map(slotKey)])
      return { account: account(item(own)), slots: slots.map((slot) => stored(item(slotKey(slot))) ?? slot) }
    },

    async isRedeemed(couponId, redeemer) {
      const keys = redemptionKeys(couponId, redeemer)
      const item = await find(keys)
      return keys.some((key) => item(key) !== undefined)
    },

    async commit({ next, redemption, entries = [], mails = [], events = [] }, expected) {
      const result = await writeAll(client, {
        slot: putSlot(table, next),
        coupon: redemption && writeRedemption(table, next, redemption),
        account: expected && checkAccount(table, expected),
        entries: entries.map((entry) => putAuditEntry(tables.auditLog, entry)),
        mails: mails.map((mail) => putMoneyMail(table, mail)),
        events: events.flatMap((event) => putEvent(tables.events, event)),
      })
      if (result.kind === 'written') return null
      const slot = stored(result.stored.slot)
      if (isDeepStrictEqual(slot, next)) return null
      return { slot, couponTaken: result.failed.has('coupon'), accountChanged: result.failed.has('account') }
    },

    async freezeCustomer(unbound, request) {
      const written = await whileUnbound(unbound, {
        UpdateExpression: 'SET custRequest = if_not_exists(custRequest, :request)',
        values: { ':request': request },
      })
      if (written.kind === 'bound') return written
      return { kind: 'frozen', request: written.account.customerRequest ?? request }
    },

    async bindCustomer(unbound, customer) {
      const written = await whileUnbound(unbound, {
        UpdateExpression: 'SET custCipher = :cipher, custDigest = :digest REMOVE custRequest',
        values: { ':cipher': customer.cipher, ':digest': customer.digest },
      })
      return written.kind === 'bound' ? written.customer : customer
    },

    async unbindCustomer(organizationId, customer) {
      const result = await transactWrite(client, {
        account: forgetCustomer(table, organizationId, customer),
        slots: products.map((product) => checkSlotFree(table, { organizationId, product })),
      })
      return result.kind === 'written'
    },

    async switchGateway(account, to, entry) {
      const moves = account.gateway !== to.gateway
      const free = moves ? products.map((product) => checkSlotFree(table, { ...account, product })) : []
      const items = { terms: changeTerms(table, account, to), slots: free }
      const result = await transactWithEntry(client, tables.auditLog, entry, items)
      if (result.kind === 'written') return 'written'
      return hasOnlyFailed(result, 'slots') ? 'held' : 'conflict'
    },

    async fenceCards(account, slots, fence) {
      const result = await transactWriteOrConflict(client, {
        account: fenceAccount(table, account, fence),
        slots: slots.map((slot) => checkSlotAsRead(table, slot)),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async unfenceCards(organizationId, fence) {
      await updateItem(client, unfenceAccount(table, organizationId, fence))
    },

    announce: (event) => announceOnce(client, tables.events, event),

    async addEntry(entry) {
      await transactWrite(client, { entry: putAuditEntry(tables.auditLog, entry) })
    },

    async recordAccountChange(organizationId, change, entry) {
      const account = rememberChange(table, organizationId, change)
      await transactWrite(client, { account, entry: putAuditEntry(tables.auditLog, entry) })
    },
  }
}

/** The keys of the account and, for a user, of the membership with the caller's role. */
function ownKeys(organizationId: OrganizationId, caller: AnyCaller): Key[] {
  const own = organizationKey(organizationId)
  return isApiClient(caller) || isServiceClient(caller) ? [own] : [own, membershipKey(organizationId, caller.userId)]
}

/**
 * An API client acts on billing like a billing admin, within its scopes, which the operation has checked. A service client likewise in every
 * organization, but it calls only operations that read.
 */
function roleIn(item: FindItem, organizationId: OrganizationId, caller: AnyCaller): Role | undefined {
  if (isServiceClient(caller)) return 'billing_admin'
  if (isApiClient(caller)) return caller.organizationId === organizationId ? 'billing_admin' : undefined
  const membership = item(membershipKey(organizationId, caller.userId))
  return membership && parseMembership(membership).role
}

const account = (item: Item | undefined): BillingAccount | undefined => item && parseBillingAccount(item)
const stored = (item: Item | undefined): Slot | undefined => item && parseSlot(item)
