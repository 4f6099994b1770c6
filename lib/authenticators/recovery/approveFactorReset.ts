import type { Caller } from '../../core/identity.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { securityUrl } from '../../mail/securityUrl.ts'
import { OrganizationError } from '../../organizations/errors.ts'
import type { AuditEntry, Organization, Profile, Profiles } from '../../organizations/ports.ts'
import type { ApproveFactorResetDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { resetApproved } from '../mails.ts'
import type { FactorReset } from '../ports.ts'
import { type ResetState, resetStateOf, WAIT_AFTER_APPROVAL_MS } from './resetState.ts'

/**
 * Approves, as an owner of an organization of the user, that the user's second factors are removed. 72 hours later the user may complete
 * the reset. The user is mailed first; the organization’s audit log gets an entry. A repetition returns the same approval and sends no
 * mail. Users cannot approve their own request. The caller must have checked for a recent sign-in, with a second factor if enabled.
 * @throws OrganizationError `organization_not_found`; `forbidden` if the caller is not an owner or is the user; `member_not_found`;
 *   AuthenticatorError `reset_not_found` if there is no request or it is void; CommonError `invalid_token`, `service_unavailable`, also if
 *   the mail is not accepted: nothing is stored
 */
export async function approveFactorReset(
  deps: ApproveFactorResetDeps,
  caller: Caller,
  { organizationId, userId, language }: { organizationId: OrganizationId; userId: UserId; language: Language },
): Promise<FactorReset> {
  await requireOtherOwner(deps, caller, { organizationId, userId })
  const [account, reset, own] = await Promise.all([
    deps.accounts.find(userId),
    deps.resets.find(userId),
    deps.authenticators.list(userId),
  ])
  if (account === undefined) throw new OrganizationError('member_not_found')
  const now = deps.clock.now()
  const state = resetStateOf(reset, own, { securityRev: account.securityRev, now })
  if (reset === undefined || state === 'none') throw new AuthenticatorError('reset_not_found')
  if (state !== 'awaiting_approval') return reset
  const effectiveAt = now + WAIT_AFTER_APPROVAL_MS
  const approved = { effectiveAt, approval: { at: now, by: caller.userId, organizationId } }
  const look = { branding: deps.branding, language }
  await deps.mailer.send(resetApproved(look, { to: account.user.email, link: securityUrl(deps.accountUrl) }))
  const entry: AuditEntry = {
    organizationId,
    id: deps.ids.uuid(),
    at: now,
    actor: { type: 'user', id: caller.userId },
    action: 'member.factors_reset_approved',
    target: userId,
    detail: {},
  }
  if (!(await deps.approvals.approve(caller, userId, reset, { ...approved, entry })))
    throw new AuthenticatorError('reset_not_found')
  return { ...reset, ...approved }
}

/** A request as the approving owner sees it. */
export interface ResetToApprove {
  readonly organization: Organization
  readonly member: Profile
  /** Unix milliseconds. */
  readonly requestedAt: number
  readonly state: Exclude<ResetState, 'none'>
}

/**
 * A member's request, for the page on which an owner approves it.
 * @throws as `approveFactorReset`
 */
export async function readResetToApprove(
  deps: Pick<ApproveFactorResetDeps, 'accounts' | 'authenticators' | 'clock' | 'organizations' | 'resets'> & {
    readonly profiles: Profiles
  },
  caller: Caller,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<ResetToApprove> {
  const organization = await requireOtherOwner(deps, caller, { organizationId, userId })
  const [account, reset, own, profiles] = await Promise.all([
    deps.accounts.find(userId),
    deps.resets.find(userId),
    deps.authenticators.list(userId),
    deps.profiles.find([userId]),
  ])
  const member = profiles.get(userId)
  if (account === undefined || member === undefined) throw new OrganizationError('member_not_found')
  const state = resetStateOf(reset, own, { securityRev: account.securityRev, now: deps.clock.now() })
  if (reset === undefined || state === 'none') throw new AuthenticatorError('reset_not_found')
  return { organization, member, requestedAt: reset.requestedAt, state }
}

async function requireOtherOwner(
  { organizations }: Pick<ApproveFactorResetDeps, 'organizations'>,
  caller: Caller,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<Organization> {
  const { organization, roleOf } = await organizations.read(organizationId, caller, [userId])
  const role = roleOf(caller.userId)
  if (organization === undefined || role === undefined) throw new OrganizationError('organization_not_found')
  if (role !== 'owner' || userId === caller.userId) throw new OrganizationError('forbidden')
  if (roleOf(userId) === undefined) throw new OrganizationError('member_not_found')
  return organization
}
