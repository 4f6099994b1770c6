import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import { memberAddedEvent } from '../../organizations/organizationEvents.ts'
import {
  type FoundInvitation,
  type Invitation,
  type Invitations,
  type Joiner,
  type ReceivedInvitation,
  type Role,
  roleSchema,
} from '../../organizations/ports.ts'
import { admitOwner, claimAccount } from './accountStore.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { checkOwnAddress, isOwnAddress } from './callerStore.ts'
import { putEvent } from './eventStore.ts'
import { listByAddress, organizationsThatInvited } from './invitedAddress.ts'
import { invitationKey, invitationTokenKey } from './keys.ts'
import { readItems } from './kit/readItems.ts'
import { hasOnlyFailed, type NamedItems } from './kit/transactWrite.ts'
import {
  checkOwnCaller,
  checkOwner,
  listForUser,
  membershipItemOf,
  membershipKey,
  membershipViewIn,
  membershipViewKeys,
  ownersGained,
} from './membershipStore.ts'
import { admitMember, checkNotDeleting } from './organizationItem.ts'
import type { TableNames } from './tables.ts'
import { newUserItems } from './userStore.ts'

function userIdOf(joiner: Joiner): UserId {
  if (joiner.kind === 'sign_in') return joiner.caller.userId
  return joiner.kind === 'register' ? joiner.user.id : joiner.account.user.id
}

type JoinerItems = NamedItems<'user' | 'username' | 'formerName' | 'email' | 'names'>

/** The checks and writes on the joiner's account when the joiner becomes a member with this role. */
function joinerItems(TableName: string, joiner: Joiner, role: Role, now: number): JoinerItems {
  if (joiner.kind === 'register') return newUserItems(TableName, joiner.user, joiner.passwordHash)
  if (joiner.kind === 'claim') return claimAccount(TableName, joiner, now)
  if (role === 'owner')
    return { user: admitOwner(TableName, joiner.caller.userId, isOwnAddress(joiner.email, joiner.caller)) }
  return { user: checkOwnAddress(TableName, { ...joiner, userId: joiner.caller.userId }) }
}

const invitationItem = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  tokenDigest: z.string(),
  invitedBy: userIdSchema,
  validUntil: z.int(),
})

/** Three keys for each: a single call. */
const ORGANIZATIONS_IN_A_READ = 33

/** The stored invitation is still this one: not used, revoked or replaced. */
function isCurrent({ tokenDigest }: Pick<Invitation, 'tokenDigest'>) {
  return { ConditionExpression: 'tokenDigest = :digest', ExpressionAttributeValues: { ':digest': tokenDigest } }
}

export function parseInvitation(item: Record<string, unknown>): Invitation {
  return invitationItem.parse(item)
}

const tokenItem = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  invitedBy: userIdSchema,
  usedBy: z.exactOptional(userIdSchema),
})

/** `Invitations` on DynamoDB, in the table `billing`, with their changes in `auditLog` and `events`, and the accounts of joiners in `accounts`. */
export function createInvitations(client: DynamoDBDocumentClient, tables: TableNames): Invitations {
  const TableName = tables.billing

  async function read(tokenDigest: string, userId: UserId | undefined): Promise<FoundInvitation | undefined> {
    const tokenKey = invitationTokenKey(tokenDigest)
    const token = (await readItems(client, TableName, [tokenKey]))(tokenKey)
    if (token === undefined) return undefined
    const { organizationId, id, invitedBy, usedBy } = tokenItem.parse(token)
    const key = invitationKey(organizationId, id)
    const item = await readItems(client, TableName, [
      key,
      ...membershipViewKeys(organizationId, [invitedBy, ...(userId === undefined ? [] : [userId])]),
    ])
    const stored = item(key)
    const invitation = stored && parseInvitation(stored)
    const isCurrent = invitation?.tokenDigest === tokenDigest
    return { ...membershipViewIn(item, organizationId), invitation: isCurrent ? invitation : undefined, usedBy }
  }

  /** The open invitations to the address `id` from these organizations. */
  async function readOpen(
    ids: readonly OrganizationId[],
    { id, userId, now }: { id: string; userId: UserId; now: number },
  ): Promise<ReceivedInvitation[]> {
    const keys = ids.flatMap((organizationId) => [
      invitationKey(organizationId, id),
      ...membershipViewKeys(organizationId, [userId]),
    ])
    const item = await readItems(client, TableName, keys)
    const current = ids.flatMap((organizationId) => {
      const stored = item(invitationKey(organizationId, id))
      const { organization, roleOf } = membershipViewIn(item, organizationId)
      if (!stored || !organization || organization.deletion || roleOf(userId) !== undefined) return []
      const invitation = parseInvitation(stored)
      return invitation.validUntil > now ? [{ invitation, organization }] : []
    })
    if (current.length === 0) return []
    const ofInviters = await readItems(
      client,
      TableName,
      current.map(({ invitation: { organizationId, invitedBy } }) => membershipKey(organizationId, invitedBy)),
    )
    return current.filter(({ invitation: { organizationId, invitedBy } }) => {
      return membershipViewIn(ofInviters, organizationId).roleOf(invitedBy) === 'owner'
    })
  }

  return {
    async findCurrent(organizationId, id) {
      const key = invitationKey(organizationId, id)
      const stored = (await readItems(client, TableName, [key]))(key)
      return stored && parseInvitation(stored)
    },

    async listReceived({ id, userId }, { limit, after, now }) {
      const inviting = await organizationsThatInvited(client, TableName, id, now)
      const left = inviting.filter(({ position }) => after === undefined || position < after)
      const received: ReceivedInvitation[] = []
      let done = 0
      // An organization's invitation may be used, revoked or void: reads on until the page is full.
      while (done < left.length && received.length < limit) {
        const some = left.slice(done, done + Math.min(limit - received.length, ORGANIZATIONS_IN_A_READ))
        received.push(
          ...(await readOpen(
            some.map(({ organizationId }) => organizationId),
            { id, userId, now },
          )),
        )
        done += some.length
      }
      const next = done < left.length ? left[done - 1]?.position : undefined
      return { received, next }
    },

    async put(invitation, by, entry, instead) {
      const { organizationId, id, tokenDigest, invitedBy, validUntil } = invitation
      const Item = { ...invitationKey(organizationId, id), ...invitation }
      const byToken = { ...invitationTokenKey(tokenDigest), organizationId, id, invitedBy, validUntil }
      // An invitation whose mail is dropped keeps its token; once that is used, it must not work again.
      const isUnused = { ConditionExpression: 'attribute_not_exists(usedBy)' }
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        invitation: { Put: { TableName, Item, ...(instead && isCurrent(instead)) } },
        token: { Put: { TableName, Item: byToken, ...isUnused } },
        address: listByAddress(TableName, invitation),
        ...checkOwnCaller(tables, organizationId, by),
        organization: checkNotDeleting(TableName, organizationId),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async revoke(organizationId, { id, by, entry }) {
      const Key = invitationKey(organizationId, id)
      const take = { TableName, Key, ConditionExpression: 'attribute_exists(pk)' }
      const writes = { invitation: { Delete: take }, ...checkOwnCaller(tables, organizationId, by) }
      const result = await transactWithEntry(client, tables.auditLog, entry, writes)
      if (result.kind === 'written') return 'written'
      return hasOnlyFailed(result, 'invitation') ? 'not_found' : 'conflict'
    },

    async decline({ organizationId, id, tokenDigest }, { by, email, entry }) {
      const take = { TableName, Key: invitationKey(organizationId, id), ...isCurrent({ tokenDigest }) }
      const user = checkOwnAddress(tables.accounts, { userId: by.userId, caller: by, email })
      const writes = { invitation: { Delete: take }, user }
      const result = await transactWithEntry(client, tables.auditLog, entry, writes)
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async find(tokenDigest, userId) {
      const found = await read(tokenDigest, userId)
      const isMember = userId !== undefined && found?.roleOf(userId) !== undefined
      const inDoubt = found?.usedBy === undefined && (!found?.invitation || isMember)
      // If it was used between the two reads, the item of its token says so now.
      return found && inDoubt ? read(tokenDigest, userId) : found
    },

    async accept({ organizationId, id, tokenDigest, invitedBy, role }, joiner, { now, entry }) {
      const userId = userIdOf(joiner)
      const use = {
        Key: invitationTokenKey(tokenDigest),
        UpdateExpression: 'SET usedBy = :user',
        ConditionExpression: 'attribute_not_exists(usedBy) AND validUntil > :now',
        ExpressionAttributeValues: { ':user': userId, ':now': now },
      }
      const take = { Key: invitationKey(organizationId, id), ...isCurrent({ tokenDigest }) }
      const join = {
        Item: membershipItemOf(organizationId, { userId, role }),
        ConditionExpression: 'attribute_not_exists(pk)',
      }
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        ...joinerItems(tables.accounts, joiner, role, now),
        token: { Update: { TableName, ...use } },
        invitation: { Delete: { TableName, ...take } },
        membership: { Put: { TableName, ...join } },
        listed: listForUser(TableName, organizationId, userId),
        event: putEvent(tables.events, memberAddedEvent(organizationId, { userId, role }, entry)),
        inviter: checkOwner(TableName, organizationId, invitedBy),
        organization: admitMember(TableName, organizationId, ownersGained({ to: role })),
      })
      if (result.kind === 'written') return 'written'
      return hasOnlyFailed(result, 'username') ? 'username_taken' : 'conflict'
    },
  }
}
