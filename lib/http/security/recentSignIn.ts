import * as z from 'zod/mini'
import { type ApiClientIdentity, type Identity, isApiClient } from '../../core/identity.ts'
import { signInOf } from '../../core/stepUp.ts'
import { OrganizationError } from '../../organizations/errors.ts'
import type { Contract } from '../contract.ts'

const members = z.record(z.string(), z.unknown())

/**
 * The caller of a request, whose sign-in is checked if the contract requires a recent sign-in: with the account, in the operation's first
 * read, because only the account says whether it has a second factor. Only this function decides which requests ask.
 * An API client has no sign-in: it is refused what requires a recent sign-in.
 * @param body as validated
 * @param now Unix milliseconds
 * @throws OrganizationError `forbidden`
 */
export function callerOf(
  { recentSignIn }: Pick<Contract, 'recentSignIn'>,
  identity: Identity | ApiClientIdentity,
  body: unknown,
  now: number,
): Identity | ApiClientIdentity {
  if (!asksForRecentSignIn(recentSignIn, body)) return identity
  if (isApiClient(identity)) throw new OrganizationError('forbidden', { message: 'an API client has no sign-in' })
  return { ...identity, signInToCheck: signInOf(identity.authentication, now) }
}

function asksForRecentSignIn(asked: Contract['recentSignIn'], body: unknown): boolean {
  if (asked === undefined || asked === true) return asked === true
  const value = members.safeParse(body).data?.[asked.where]
  return value !== undefined && (asked.is === undefined || asked.is === value)
}
