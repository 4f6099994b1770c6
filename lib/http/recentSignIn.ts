import * as z from 'zod'
import type { Identity } from '../core/identity.ts'
import { signInOf } from '../core/stepUp.ts'
import type { Contract } from './contract.ts'

const members = z.record(z.string(), z.unknown())

/**
 * The caller of a request, whose sign-in is checked where the contract asks for a recent one: with the account, in the operation's first
 * read, because only the account says whether it has a second factor. The one place that decides which requests ask.
 * @param body as validated
 * @param now Unix milliseconds
 */
export function callerOf(
  { recentSignIn }: Pick<Contract, 'recentSignIn'>,
  identity: Identity,
  body: unknown,
  now: number,
): Identity {
  if (!asksForRecentSignIn(recentSignIn, body)) return identity
  return { ...identity, signInToCheck: signInOf(identity.authentication, now) }
}

function asksForRecentSignIn(asked: Contract['recentSignIn'], body: unknown): boolean {
  if (asked === undefined || asked === true) return asked === true
  const value = members.safeParse(body).data?.[asked.where]
  return value !== undefined && (asked.is === undefined || asked.is === value)
}
