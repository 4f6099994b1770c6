import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { CommonError } from '../../core/errors.ts'
import { type Grant, type GrantState, requireLiveGrant } from '../../core/grant.ts'
import {
  type AnyCaller,
  type ApiClientCaller,
  type Caller,
  isApiClient,
  isServiceClient,
  type ServiceCaller,
} from '../../core/identity.ts'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import { requireRecentSignIn } from '../../core/stepUp.ts'
import { domainOfAddress } from '../../organizations/domains/domainName.ts'
import type { CallerFacts } from '../../organizations/ports.ts'
import type { Callers } from '../../users/ports.ts'
import { apiClientKey, oauthClientKey, revocationKey, userKey } from './keys.ts'
import { type FindItem, type Item, type Key, readTables, type TableRead } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { CALLER_ATTRIBUTES } from './tables.ts'

/** The part of a user's item that decides which grants are live and which sign-ins are enough. */
const callerState = z.object({
  isActive: z.boolean(),
  securityRev: z._default(z.int(), 0),
  keptFamily: z.optional(z.string()),
  hasSecondFactor: z._default(z.boolean(), false),
})

/** The part that the rules of an organization need. */
const callerFacts = z.object({ hasSecondFactor: callerState.shape.hasSecondFactor, email: z.optional(z.string()) })

/** The part of a service client's item that decides which of its tokens are good. */
const serviceClientState = z.object({ disabled: z.boolean(), securityRev: z.int() })

const apiClientState = z.object({ createdBy: z.exactOptional(userIdSchema) })

/**
 * Reads items consistently, and checks the caller in the same call: the API client exists, the service client is enabled, or the grant is live, with a recent sign-in if
 * the operation requires it. Up to 98 keys take a single call.
 * @param accounts the table; undefined for a function that no user calls
 * @throws CommonError `invalid_token` if the grant has ended; `service_unavailable`, even if only the account cannot be read; StepUpError
 */
export async function readWithCaller(
  client: DynamoDBDocumentClient,
  accounts: string | undefined,
  caller: AnyCaller,
  reads: readonly TableRead[],
): Promise<FindItem> {
  if (accounts === undefined) throw new Error('This function has no callers')
  const own = { table: accounts, keys: callerKeys(caller), attributes: CALLER_ATTRIBUTES }
  const item = await readTables(client, [own, ...reads])
  requireLive(caller, item)
  return item
}

/** `Callers` on DynamoDB, in the table `accounts`. */
export function createCallers(client: DynamoDBDocumentClient, accounts: string): Callers {
  return {
    async requireLive(caller) {
      await readWithCaller(client, accounts, caller, [])
    },
  }
}

/**
 * The caller's whole user, read with the revocation of the family.
 * @throws CommonError `invalid_token` if the grant has ended; `service_unavailable`; StepUpError
 */
export async function readCaller(client: DynamoDBDocumentClient, accounts: string, caller: Caller): Promise<Item> {
  const item = await readTables(client, [{ table: accounts, keys: callerKeys(caller) }])
  return requireLive(caller, item)
}

/** What the account says of the user's grants, read with items of the same table, after the caller's own grant passed as above. */
export async function readWithGrantState(
  client: DynamoDBDocumentClient,
  accounts: string,
  caller: Caller,
  keys: readonly Key[],
): Promise<{ account: GrantState; item: FindItem }> {
  // DynamoDB refuses a batch that repeats a key.
  const ofCaller = callerKeys(caller)
  const others = keys.filter(({ pk, sk }) => !ofCaller.some((own) => own.pk === pk && own.sk === sk))
  const item = await readTables(client, [
    { table: accounts, keys: [...ofCaller, ...others], attributes: CALLER_ATTRIBUTES },
  ])
  return { account: toGrantState(requireLive(caller, item)), item }
}

function callerKeys(caller: AnyCaller): Key[] {
  const { familyId } = caller
  return [keyOf(caller), ...(familyId === undefined ? [] : [revocationKey(familyId)])]
}

function keyOf(caller: AnyCaller): Key {
  if (isServiceClient(caller)) return oauthClientKey(caller.serviceClientId)
  return isApiClient(caller) ? apiClientKey(caller.apiClientId) : userKey(caller.userId)
}

function requireLive(caller: AnyCaller, item: FindItem): Item {
  if (isServiceClient(caller)) return requireServiceClient(caller, item)
  if (isApiClient(caller)) return requireApiClient(caller, item)
  const user = item(userKey(caller.userId))
  const isFamilyRevoked = caller.familyId !== undefined && item(revocationKey(caller.familyId)) !== undefined
  const state = user && toGrantState(user)
  requireLiveGrant(caller, state, isFamilyRevoked)
  requireRecentSignIn(caller.signInToCheck, { hasSecondFactor: state?.hasSecondFactor ?? false })
  return user ?? {}
}

function requireApiClient({ apiClientId, familyId }: ApiClientCaller, item: FindItem): Item {
  const found = item(apiClientKey(apiClientId))
  if (found === undefined) throw new CommonError('invalid_token', { message: 'the API client was deleted' })
  if (item(revocationKey(familyId))) throw new CommonError('invalid_token', { message: 'family revoked' })
  return found
}

function requireServiceClient(caller: ServiceCaller, item: FindItem): Item {
  const found = item(keyOf(caller))
  const { data: state } = serviceClientState.safeParse(found)
  const isRevoked = item(revocationKey(caller.familyId)) !== undefined
  if (
    found === undefined ||
    state === undefined ||
    state.disabled ||
    state.securityRev !== caller.securityRev ||
    isRevoked
  )
    throw new CommonError('invalid_token', {
      message: 'the service client was disabled or deleted, or its token revoked',
    })
  return found
}

/** Who created the calling API client, from what was read with the caller. Clients of earlier versions, and users, have no creator. */
export function creatorOf(caller: AnyCaller, item: FindItem): z.output<typeof apiClientState> {
  return isApiClient(caller) ? apiClientState.parse(item(keyOf(caller))) : {}
}

/** The facts of a caller that the rules of an organization need: none of clients, because the rules concern users. */
export function factsOfCaller(caller: AnyCaller, item: FindItem): CallerFacts {
  const user = isApiClient(caller) || isServiceClient(caller) ? undefined : item(keyOf(caller))
  if (user === undefined) return { callerHasSecondFactor: false }
  const { hasSecondFactor, email } = callerFacts.parse(user)
  return {
    callerHasSecondFactor: hasSecondFactor,
    callerDomain: email === undefined ? undefined : domainOfAddress(email),
  }
}

function toGrantState(user: Item): GrantState & { hasSecondFactor: boolean } {
  const { isActive, securityRev, keptFamily, hasSecondFactor } = callerState.parse(user)
  return { isActive, securityRev, keptFamily, hasSecondFactor }
}

/**
 * Passes only while the account is active and the caller's grant is of its revision, or is the family that was kept: what was decided on
 * before a reset is not written after it. A revoked family is read before, and not checked here.
 */
export function checkCaller(TableName: string, caller: Caller): TransactItem {
  return { ConditionCheck: { TableName, Key: userKey(caller.userId), ...whileLive(caller) } }
}

/** The same, and only while the account has a second factor. */
export function checkCallerWithSecondFactor(TableName: string, caller: Caller): TransactItem {
  const { ConditionExpression, ...values } = whileLive(caller)
  const condition = { ConditionExpression: `${ConditionExpression} AND hasSecondFactor = :true`, ...values }
  return { ConditionCheck: { TableName, Key: userKey(caller.userId), ...condition } }
}

/** The condition of `checkCaller`, on a user's item; for a grant without a family, that the account is active and at its revision. */
export function whileLive({ securityRev, familyId }: Grant) {
  const isLive = [...atRevision(securityRev), ...(familyId === undefined ? [] : ['keptFamily = :family'])]
  return {
    ConditionExpression: `isActive = :true AND (${isLive.join(' OR ')})`,
    ExpressionAttributeValues: {
      ':true': true,
      ':rev': securityRev,
      ...(familyId !== undefined && { ':family': familyId }),
    },
  }
}

/** Either of these: a user's item is at the revision `:rev`. Users from before there were revisions have none. */
export function atRevision(securityRev: number): string[] {
  return ['securityRev = :rev', ...(securityRev === 0 ? ['attribute_not_exists(securityRev)'] : [])]
}

/** The condition that an active account has this address, verified; while the grant is live, if a grant is given. */
export function isOwnAddress(email: string, grant?: Grant) {
  const live = grant
    ? whileLive(grant)
    : { ConditionExpression: 'isActive = :true', ExpressionAttributeValues: { ':true': true } }
  return {
    ConditionExpression: `email = :email AND isVerified = :true AND ${live.ConditionExpression}`,
    ExpressionAttributeValues: { ':email': email, ...live.ExpressionAttributeValues },
  }
}

/** Passes only while the account has this address, verified, and the caller's grant, if given, is live. */
export function checkOwnAddress(
  TableName: string,
  { userId, email, caller }: { userId: UserId; email: string; caller?: Caller | undefined },
): TransactItem {
  return { ConditionCheck: { TableName, Key: userKey(userId), ...isOwnAddress(email, caller) } }
}
