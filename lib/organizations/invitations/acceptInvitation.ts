import type { Caller } from '../../core/identity.ts'
import type { User, Users } from '../../users/ports.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { requireMembership } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { FoundInvitation, Invitation, Invitations, OwnOrganization } from '../ports.ts'
import { requireVerifiedUser } from '../requireVerifiedUser.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { digestInvitationToken, invitationIdOf } from './invitationDigests.ts'

/** Dependencies of accepting an invitation. */
export interface AcceptDeps extends AuditDeps {
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
    const invitation = requireValid(found, user, clock.now())
    if (isMember) throw new OrganizationError('already_member')
    const { organizationId, role } = invitation
    const joined = { action: 'member.joined', target: userId, detail: { role } } as const
    const entry = entryBy(deps, { organizationId, caller }, joined)
    const joiner = { kind: 'sign_in', caller, email: user.email } as const
    const outcome = await invitations.accept(invitation, joiner, { now: clock.now(), entry })
    if (outcome !== 'written') return 'conflict'
    return requireMembership({ ...found, roleOf: () => role }, userId)
  })
}

function requireValid({ invitation, organization, roleOf }: FoundInvitation, user: User, now: number): Invitation {
  const refuse = (message: string) => new OrganizationError('invitation_invalid', { message })
  if (invitation === undefined) throw refuse('invitation used, revoked or replaced')
  if (organization?.deletion) throw refuse('organization is being deleted')
  if (invitation.validUntil <= now) throw refuse('invitation expired')
  if (invitation.id !== invitationIdOf(user.email)) throw refuse('invitation for another address')
  if (roleOf(invitation.invitedBy) !== 'owner') throw refuse('inviter is no longer an owner')
  return invitation
}
