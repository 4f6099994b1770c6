import { CommonError, reasonOf } from '../../core/errors.ts'
import type { Caller } from '../../core/identity.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import { approvalUrl, securityUrl } from '../../mail/securityUrl.ts'
import type { Profile } from '../../organizations/ports.ts'
import type { SignedIn } from '../../users/ports.ts'
import type { FactorResetDeps, RequestFactorResetDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { secondFactorsOf } from '../listAuthenticators.ts'
import { approvalAsked, resetDone, resetRequested } from '../mails.ts'
import type { FactorReset, UserAuthenticators } from '../ports.ts'
import { type ResetState, resetStateOf, WAIT_WITHOUT_APPROVAL_MS } from './resetState.ts'

/** A single request must not send mail to hundreds. */
const MAX_MAILED_OWNERS = 20

/** A user whose password was right in this sign-in, but who has shown no second factor. */
interface ResetRequest {
  readonly user: SignedIn
  readonly language: Language
}

/** A user's request, its state, and the authenticators that it would remove. */
interface OwnReset {
  readonly state: ResetState
  readonly reset: FactorReset | undefined
  readonly authenticators: UserAuthenticators
}

/** The user's request to reset lost second factors, for the page that asks for it. Throws CommonError `service_unavailable`. */
export async function readFactorReset(
  { authenticators, resets, clock }: Pick<FactorResetDeps, 'authenticators' | 'resets' | 'clock'>,
  { id, securityRev }: Pick<SignedIn, 'id' | 'securityRev'>,
): Promise<OwnReset> {
  const [own, reset] = await Promise.all([authenticators.list(id), resets.find(id)])
  return { state: resetStateOf(reset, own, { securityRev, now: clock.now() }), reset, authenticators: own }
}

/**
 * Requests the removal of every second factor of a user who has lost them, and mails the user first. Owners of the user's organizations get
 * a link, and any of them may approve it (`approveFactorReset`). If no other owner exists, the request takes effect after 7 days. If the
 * user succeeds with a second factor before then, or sets a new password, the request is void. A repetition returns the same request and
 * sends no mail.
 * @throws AuthenticatorError `no_second_factor`; CommonError `service_unavailable`, also if the mail is not accepted: nothing is stored
 */
export async function requestFactorReset(
  deps: RequestFactorResetDeps,
  { user, language }: ResetRequest,
): Promise<FactorReset> {
  const { state, reset: earlier, authenticators } = await readFactorReset(deps, user)
  if (state !== 'none' && earlier !== undefined) return earlier
  if (secondFactorsOf(authenticators).length === 0) throw new AuthenticatorError('no_second_factor')
  const now = deps.clock.now()
  const owners = await otherOwners(deps, user)
  const mayBeApproved = owners.length > 0
  const reset: FactorReset = {
    id: deps.ids.uuid(),
    requestedAt: now,
    securityRev: user.securityRev,
    ...(!mayBeApproved && { effectiveAt: now + WAIT_WITHOUT_APPROVAL_MS }),
  }
  const look = { branding: deps.branding, language }
  const link = securityUrl(deps.accountUrl)
  await deps.mailer.send(resetRequested(look, { to: user.email, link, mayBeApproved }))
  if (await deps.resets.request(user.id, reset, earlier)) {
    await mailOwners(deps, { user, language, owners })
    return reset
  }
  const after = await readFactorReset(deps, user)
  if (after.state === 'none' || after.reset === undefined) {
    throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
  }
  return after.reset
}

/** An owner who can approve, and the organization that allows it. */
interface Approver {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** The distinct other owners of the user's organizations. */
async function otherOwners({ organizations }: FactorResetDeps, { id, securityRev }: SignedIn): Promise<Approver[]> {
  const own = await organizations.list({ userId: id, securityRev })
  const members = await Promise.all(own.map(({ organization }) => organizations.readMembers(organization.id)))
  const owners = own.flatMap(({ organization }, at) =>
    (members[at]?.members ?? [])
      .filter(({ role, userId }) => role === 'owner' && userId !== id)
      .map(({ userId }) => ({ organizationId: organization.id, userId })),
  )
  return [...new Map(owners.map((owner) => [owner.userId, owner])).values()]
}

/**
 * Mails the owners a link to the page that approves the stored request. If a mail is not accepted, that is logged: owners can open the page
 * without it.
 */
async function mailOwners(
  deps: RequestFactorResetDeps,
  { user, language, owners }: ResetRequest & { owners: readonly Approver[] },
): Promise<void> {
  const asked = owners.slice(0, MAX_MAILED_OWNERS)
  const profiles = await deps.profiles.find(asked.map(({ userId }) => userId)).catch((error: unknown) => {
    deps.logger.error('Mail not sent', { reason: reasonOf(error) })
    return new Map<UserId, Profile>()
  })
  const look = { branding: deps.branding, language }
  const mails = asked.flatMap(({ organizationId, userId }) => {
    const to = profiles.get(userId)?.email
    const link = approvalUrl(deps.accountUrl, { organizationId, userId: user.id })
    return to === undefined ? [] : [approvalAsked(look, { to, link, member: user })]
  })
  await Promise.all(mails.map((mail) => notify(deps, mail)))
}

/**
 * Removes every second factor of the user, once, when the request is due, and mails the user. From then on the password alone signs in.
 * Recovery codes and a pending enrollment end too. No session ends.
 * @throws AuthenticatorError `reset_not_due`, also if a second factor was used meanwhile, or the reset is completed by now; CommonError
 *   `service_unavailable`, after which it may be done: `readFactorReset` shows it
 */
export async function completeFactorReset(deps: FactorResetDeps, { user, language }: ResetRequest): Promise<void> {
  const { state, reset, authenticators } = await readFactorReset(deps, user)
  const isDone = state === 'due' && reset !== undefined && (await deps.resets.complete(user.id, reset, authenticators))
  if (!isDone) throw new AuthenticatorError('reset_not_due')
  await notify(deps, resetDone({ branding: deps.branding, language }, { to: user.email }))
}

/**
 * Cancels the request to remove the caller's second factors, approved or not: the user still has a factor, so another person made the
 * request, or the user found the factor again. The caller must have checked for a recent sign-in with a second factor.
 * @throws AuthenticatorError `reset_not_found` if there is none, or it is completed by now; CommonError `invalid_token`,
 *   `service_unavailable`
 */
export async function cancelFactorReset({ resets }: Pick<FactorResetDeps, 'resets'>, caller: Caller): Promise<void> {
  const reset = await resets.find(caller.userId)
  const isCanceled = reset !== undefined && (await resets.cancel(caller, reset.id))
  if (!isCanceled) throw new AuthenticatorError('reset_not_found')
}
