import type { Caller } from '../../core/identity.ts'
import type { UserId } from '../../core/ids.ts'
import type { User, Users } from '../../users/ports.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { requireMembership } from '../authorizeMember.ts'
import { findOffer, joinedEntry, offerIdOf } from '../domains/joinByDomain.ts'
import type { DomainMembers, DomainOffer } from '../domains/ports.ts'
import { OrganizationError } from '../errors.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../notifyOfChange.ts'
import type { FoundInvitation, Invitation, Invitations, OwnOrganization } from '../ports.ts'
import { requireVerifiedUser } from '../requireVerifiedUser.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { digestInvitationToken, invitationIdOf } from './invitationDigests.ts'

/** Dependencies of finding what a user received. */
export interface ReceivedDeps {
  readonly invitations: Pick<Invitations, 'find'>
  readonly users: Pick<Users, 'findCaller'>
  readonly clock: AuditDeps['clock']
  readonly domainMembers: DomainMembers
}

/** Dependencies of accepting an invitation. */
export interface AcceptDeps extends AuditDeps, NotifyOfChangeDeps {
  clock: AuditDeps['clock']
  invitations: Pick<Invitations, 'find' | 'accept'>
  users: Pick<Users, 'findCaller'>
}

/**
 * Makes the user a member, once per token. If the user who used the token repeats the request while still a member, returns the same again.
 * @throws OrganizationError `email_not_verified`, for any token; `invitation_invalid` if the token is unknown, expired, used, revoked,
 *   replaced, for another address, or sent by a former owner; `already_member` if the user joined in another way. CommonError
 *   `invalid_token`
 */
export function acceptInvitation(
  deps: AcceptDeps,
  { caller, token }: { caller: Caller; token: string },
): Promise<OwnOrganization> {
  const { invitations, users, clock } = deps
  const { userId } = caller
  const tokenDigest = digestInvitationToken(token)
  return retryOnConflict(async () => {
    const user = await requireVerifiedUser(users, caller)
    const found = await invitations.find(tokenDigest, userId)
    if (!found) throw new OrganizationError('invitation_invalid', { message: 'unknown invitation' })
    const isMember = found.roleOf(userId) !== undefined
    if (isMember && found.usedBy === userId) return requireMembership(found, userId)
    const open = openInvitation(found, user, clock.now())
    if (open.kind === 'closed') throw new OrganizationError('invitation_invalid', { message: open.why })
    return join(deps, { caller, user, found, invitation: open.invitation })
  })
}

/**
 * Makes the user a member by an invitation in their own list. The session and the verified address prove what a token would.
 * @param request `id` as the list names the invitation
 * @throws OrganizationError `email_not_verified`; `invitation_not_found` if there is no such invitation to the user's address that is open,
 *   also once it is accepted; `already_member` if the user joined in another way. CommonError `invalid_token`
 */
export function acceptReceivedInvitation(
  deps: AcceptDeps & ReceivedDeps,
  request: { caller: Caller; id: string },
): Promise<OwnOrganization> {
  const { caller } = request
  return retryOnConflict(async () => {
    const received = await findReceived(deps, request)
    if (received.kind === 'invitation') return join(deps, { caller, ...received })
    const { offer, user } = received
    const entry = joinedEntry(deps, offer, user.id)
    const outcome = await deps.domainMembers.join(offer, { userId: user.id, email: user.email, caller }, entry)
    return outcome === 'written' ? { organization: offer.organization, role: 'member' as const } : outcome
  })
}

/** An entry of the list: an invitation, or an organization that takes people of its domain. */
type Received =
  | {
      readonly kind: 'invitation'
      readonly user: User
      readonly found: FoundInvitation
      readonly invitation: Invitation
    }
  | { readonly kind: 'offer'; readonly user: User; readonly offer: DomainOffer }

/**
 * The open invitation or the offer with this id to the caller's address.
 * @throws OrganizationError `email_not_verified`, `invitation_not_found`; CommonError `invalid_token`
 */
export async function findReceived(
  { invitations, users, clock, domainMembers }: ReceivedDeps,
  { caller, id }: { caller: Caller; id: string },
): Promise<Received> {
  const user = await requireVerifiedUser(users, caller)
  const found = await invitations.find(id, caller.userId)
  if (!found) {
    const offer = await findOffer({ domainMembers }, { userId: user.id, email: user.email })
    if (offer !== undefined && offerIdOf(offer) === id) return { kind: 'offer', user, offer }
    throw new OrganizationError('invitation_not_found', { message: 'unknown invitation' })
  }
  const open = openInvitation(found, user, clock.now())
  if (open.kind === 'closed') throw new OrganizationError('invitation_not_found', { message: open.why })
  return { kind: 'invitation', user, found, invitation: open.invitation }
}

async function join(
  deps: AcceptDeps,
  of: { caller: Caller; user: User; found: FoundInvitation; invitation: Invitation },
): Promise<OwnOrganization | 'conflict'> {
  const { caller, user, found, invitation } = of
  const { userId } = caller
  if (found.roleOf(userId) !== undefined) throw new OrganizationError('already_member')
  const { organizationId, role } = invitation
  const joined = { action: 'member.joined', target: userId, detail: { role } } as const
  const entry = entryBy(deps, { organizationId, caller }, joined)
  const joiner = { kind: 'sign_in', caller, email: user.email } as const
  const outcome = await deps.invitations.accept(invitation, joiner, { now: deps.clock.now(), entry })
  if (outcome !== 'written') return 'conflict'
  const own = requireMembership({ ...found, roleOf: () => role }, userId)
  await notifyOfJoin(deps, { ...own, member: userId, invitedBy: invitation.invitedBy })
  return own
}

/** Mails the other owners about a member who joined as an owner. The mails use the inviter's budget. */
export async function notifyOfJoin(
  deps: NotifyOfChangeDeps,
  { organization, role, member, invitedBy: actor }: OwnOrganization & { member: UserId; invitedBy: UserId },
): Promise<void> {
  if (role === 'owner') await notifyOfChange(deps, { organization, actor, member, kind: 'joined' })
}

type OpenOrClosed = { kind: 'open'; invitation: Invitation } | { kind: 'closed'; why: string }

function openInvitation({ invitation, organization, roleOf }: FoundInvitation, user: User, now: number): OpenOrClosed {
  const closed = (why: string) => ({ kind: 'closed', why }) as const
  if (invitation === undefined) return closed('invitation used, revoked or replaced')
  if (organization?.deletion) return closed('organization is being deleted')
  if (invitation.validUntil <= now) return closed('invitation expired')
  if (invitation.id !== invitationIdOf(user.email)) return closed('invitation for another address')
  if (roleOf(invitation.invitedBy) !== 'owner') return closed('inviter is no longer an owner')
  return { kind: 'open', invitation }
}
