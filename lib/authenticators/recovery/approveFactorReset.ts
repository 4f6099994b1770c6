import type { Caller } from '../../core/identity.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import { accountLinkUrl } from '../../mail/accountLinkUrl.ts'
import { OrganizationError } from '../../organizations/errors.ts'
import type { AuditEntry, Organization, Profile, Profiles } from '../../organizations/ports.ts'
import type { Account } from '../../users/ports.ts'
import type { ApproveFactorResetDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { resetApproved } from '../mails.ts'
import type { FactorReset } from '../ports.ts'
import { mayApproveIn } from './resetApprovers.ts'
import { effectAfterApproval, type ResetState, resetStateOf, scheduleOf } from './resetState.ts'

/**
 * Approves, as an owner of an organization of the user, that the user's second factors are removed: a day later instead of 7 days after the
 * confirmation, if that is earlier. The user is mailed first; the organization’s audit log gets an entry. A repetition returns the same
 * approval and sends no mail. Users cannot approve their own request, nor can anyone if the user owns another organization. The caller must
 * have checked for a recent sign-in, with a second factor if enabled.
 * @throws OrganizationError `organization_not_found`; `forbidden` if the caller is not an owner or is the user; `member_not_found`;
 *   AuthenticatorError `reset_not_found` if there is no confirmed request or it is void; CommonError `invalid_token`, `service_unavailable`, also if
 *   the mail is not accepted: nothing is stored
 */
export async function approveFactorReset(
  deps: ApproveFactorResetDeps,
  caller: Caller,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<FactorReset> {
  await requireOtherOwner(deps, caller, { organizationId, userId })
  const [account, reset, own] = await Promise.all([
    deps.accounts.find(userId),
    deps.resets.find(userId),
    deps.authenticators.list(userId),
  ])
  if (account === undefined) throw new OrganizationError('member_not_found')
  const now = deps.clock.now()
  const state = resetStateOf(reset, own, { ...account, now })
  const confirmedUntil = reset?.effectiveAt
  if (
    reset === undefined ||
    confirmedUntil === undefined ||
    state === 'none' ||
    !(await mayApprove(deps, account, organizationId))
  )
    throw new AuthenticatorError('reset_not_found')
  if (state === 'due' || reset.approval !== undefined) return reset
  const effectiveAt = effectAfterApproval({ effectiveAt: confirmedUntil }, now)
  const approved = { ...scheduleOf(effectiveAt, now), approval: { at: now, by: caller.userId, organizationId } }
  const look = { branding: deps.branding, language: reset.language }
  const link = accountLinkUrl(deps.accountUrl, 'forgot_password')
  await deps.mailer.send(resetApproved(look, { to: account.user.email, link, effectiveAt }))
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
  return { ...reset, effectiveAt, approval: approved.approval }
}

/** Whether the user owns no organization but this. */
async function mayApprove(
  { organizations }: Pick<ApproveFactorResetDeps, 'organizations'>,
  { user, securityRev }: Pick<Account, 'user' | 'securityRev'>,
  organizationId: OrganizationId,
): Promise<boolean> {
  return mayApproveIn(organizationId, await organizations.list({ userId: user.id, securityRev }))
}

/** A request as the approving owner sees it. */
export interface ResetToApprove {
  readonly organization: Organization
  readonly member: Profile
  /** Unix milliseconds. */
  readonly requestedAt: number
  readonly state: Exclude<ResetState, 'none' | 'unconfirmed'>
  readonly isApproved: boolean
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
  const state = resetStateOf(reset, own, { ...account, now: deps.clock.now() })
  const isConfirmed = reset !== undefined && (state === 'waiting' || state === 'due')
  if (!isConfirmed || !(await mayApprove(deps, account, organizationId)))
    throw new AuthenticatorError('reset_not_found')
  return { organization, member, requestedAt: reset.requestedAt, state, isApproved: reset.approval !== undefined }
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
