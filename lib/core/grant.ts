import { CommonError } from './errors.ts'

/** What a session, a code or a token was issued under. */
export interface Grant {
  /** The account's `securityRev` when its user signed in. */
  readonly securityRev: number
  /** The family of its tokens; undefined for what belongs to none: a session, and a code that was not exchanged yet. */
  readonly familyId?: string | undefined
}

/** What an account says of every grant that its user gave. */
export interface GrantState {
  readonly isActive: boolean
  /** Incremented by whatever ends grants. */
  readonly securityRev: number
  /** The one family that the last increment did not end. */
  readonly keptFamily: string | undefined
}

/** The revision of what was stored before grants had one: no account has it. */
export const NO_REVISION = -1

/**
 * Why a grant has ended; undefined while it is live. The one place that decides it, for sessions, codes, refresh tokens and access tokens.
 * Revisions are compared, never times: two clocks differ, and a second has many milliseconds.
 * @param account undefined for a user who does not exist
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
 * Refuses a request by a grant that has ended.
 * @throws CommonError `invalid_token`
 */
export function requireLiveGrant(grant: Grant, account: GrantState | undefined, isFamilyRevoked: boolean): void {
  const message = whyGrantEnded(grant, account, isFamilyRevoked)
  if (message !== undefined) throw new CommonError('invalid_token', { message })
}
