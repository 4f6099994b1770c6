import { CommonError } from './errors.ts'

/** The grant under which a session, a code or a token was issued. */
export interface Grant {
  /** The account's `securityRev` when its user signed in. */
  readonly securityRev: number
  /** The family of its tokens; undefined for a session, and for a code before its exchange. */
  readonly familyId?: string | undefined
}

/** The account's state that decides about all grants of its user. */
export interface GrantState {
  readonly isActive: boolean
  /** Incremented by every operation that ends grants. */
  readonly securityRev: number
  /** The family that survived the last increment. */
  readonly keptFamily: string | undefined
}

/** The revision of a new account. */
export const FIRST_REVISION = 0

/** The revision of records from before grants had revisions: no account has it. */
export const NO_REVISION = -1

/**
 * Why a grant has ended; undefined while it is live. Only this function decides it, for sessions, codes, refresh tokens and access tokens.
 * It compares revisions, never times: two clocks differ, and a second has many milliseconds.
 * @param account undefined if the user does not exist
 */
export function whyGrantEnded(
  { securityRev, familyId }: Grant,
  account: GrantState | undefined,
  isFamilyRevoked: boolean,
): string | undefined {
  if (!account?.isActive) return 'user is not active'
  if (isFamilyRevoked) return 'family revoked'
  const isKept = familyId !== undefined && familyId === account.keptFamily
  return securityRev === account.securityRev || isKept ? undefined : 'user was signed out everywhere'
}

/**
 * Refuses a request if its grant has ended.
 * @throws CommonError `invalid_token`
 */
export function requireLiveGrant(grant: Grant, account: GrantState | undefined, isFamilyRevoked: boolean): void {
  const message = whyGrantEnded(grant, account, isFamilyRevoked)
  if (message !== undefined) throw new CommonError('invalid_token', { message })
}
