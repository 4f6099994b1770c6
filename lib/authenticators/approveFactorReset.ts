import type { Caller } from '../core/identity.ts'
import type { OrganizationId, UserId } from '../core/ids.ts'
import type { Language } from '../core/language.ts'
import { entryBy } from '../organizations/auditEntry.ts'
import { OrganizationError } from '../organizations/errors.ts'
import type { ApproveFactorResetDeps } from './deps.ts'
import { AuthenticatorError } from './errors.ts'
import { resetApproved } from './mails.ts'
import type { FactorReset } from './ports.ts'
import { resetStateOf, WAIT_AFTER_APPROVAL_MS } from './resetState.ts'

/**
 * Approves, as an owner of an organization of the user, that the user's second factors are removed: 72 hours later the user may complete it.
 * The user is mailed first, and the organization’s audit log has an entry. A repetition returns the same approval and mails nothing. The own request is not for its user to approve. The caller has asked for a recent
 * sign-in, with a second factor where there is one.
 * @throws OrganizationError `organization_not_found`, `forbidden` for who is no owner and for the own request, `member_not_found`;
 *   AuthenticatorError `reset_not_found` where there is none, or it is void; CommonError `invalid_token`, `service_unavailable`, also where the
 *   mail is not accepted: nothing is stored
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
  await deps.mailer.send(resetApproved({ branding: deps.branding, language }, { to: account.user.email }))
  const done = { action: 'member.factors_reset_approved', target: userId, detail: {} } as const
  const entry = entryBy(deps, { organizationId, caller }, done)
  if (!(await deps.approvals.approve(caller, userId, reset, { ...approved, entry })))
    throw new AuthenticatorError('reset_not_found')
  return { ...reset, ...approved }
}

async function requireOtherOwner(
  { organizations }: Pick<ApproveFactorResetDeps, 'organizations'>,
  caller: Caller,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<void> {
  const { organization, roleOf } = await organizations.read(organizationId, caller, [userId])
  const role = roleOf(caller.userId)
  if (organization === undefined || role === undefined) throw new OrganizationError('organization_not_found')
  if (role !== 'owner' || userId === caller.userId) throw new OrganizationError('forbidden')
  if (roleOf(userId) === undefined) throw new OrganizationError('member_not_found')
}
