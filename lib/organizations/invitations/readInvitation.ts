import type { Clock } from '../../core/clock.ts'
import { emailKey } from '../../users/emailKey.ts'
import type { Account, Accounts, User, Users } from '../../users/ports.ts'
import { isExpiredRegistration } from '../../users/registration.ts'
import type { FoundInvitation, Invitation, Invitations, Organization } from '../ports.ts'
import { digestInvitationToken } from './invitationDigests.ts'

/** Dependencies of reading an invitation by its token. */
export interface ReadInvitationDeps {
  readonly invitations: Pick<Invitations, 'find'>
  readonly users: Pick<Users, 'find'>
  readonly accounts: Pick<Accounts, 'find' | 'findByEmail'>
  readonly clock: Clock
}

/** An invitation that can be accepted, with the content of its page. Only for the holder of its token. */
export interface OpenInvitation {
  readonly state: 'open'
  readonly invitation: Invitation
  readonly organization: Organization
  /** The inviter's username. */
  readonly inviter: string
  /** The account with the invited address, verified or not; undefined if there is none. */
  readonly account: Account | undefined
}

/** `void`: revoked, replaced by a newer invitation, or sent by a former owner. */
export type InvitationView =
  | OpenInvitation
  | { readonly state: 'unknown' | 'expired' | 'void' }
  | { readonly state: 'used'; readonly account: Account | undefined }

/**
 * Returns what the holder of a token sees. Changes nothing.
 * @throws CommonError `service_unavailable`
 */
export async function readInvitation(deps: ReadInvitationDeps, token: string): Promise<InvitationView> {
  const found = await deps.invitations.find(digestInvitationToken(token), undefined)
  if (found === undefined) return { state: 'unknown' }
  if (found.usedBy !== undefined) return { state: 'used', account: await deps.accounts.find(found.usedBy) }
  return readOpen(deps, found)
}

async function readOpen(
  { accounts, users, clock }: ReadInvitationDeps,
  { invitation, organization, roleOf }: FoundInvitation,
): Promise<InvitationView> {
  if (!invitation || !organization || organization.deletion || roleOf(invitation.invitedBy) !== 'owner')
    return { state: 'void' }
  if (invitation.validUntil <= clock.now()) return { state: 'expired' }
  const [inviter, found] = await Promise.all([
    users.find(invitation.invitedBy),
    accounts.findByEmail(emailKey(invitation.email)),
  ])
  const account = found && isExpiredRegistration(found.user, clock.now()) ? undefined : found
  return inviter === undefined
    ? { state: 'void' }
    : { state: 'open', invitation, organization, inviter: inviter.username, account }
}

/** How the invited person joins: by signing in, by a password for an account that was never verified, or by a new account. */
export type JoinKind = 'sign_in' | 'claim' | 'register'

/** @param account the account with the invited address */
export function joinKindOf(account: Account | undefined): JoinKind {
  if (account === undefined) return 'register'
  return account.user.isVerified || !account.user.isActive ? 'sign_in' : 'claim'
}

/** What the page of an invitation asks for. `accept`: one button. `other_user`: another user is signed in, and can only change the account. */
export type JoinStep = JoinKind | 'accept' | 'other_user'

/**
 * @param account the account with the invited address
 * @param visitor the user who is signed in
 */
export function joinStepOf(account: Account | undefined, visitor: User | undefined): JoinStep {
  if (visitor === undefined) return joinKindOf(account)
  return visitor.isVerified && visitor.id === account?.user.id ? 'accept' : 'other_user'
}
