import type { Clock } from '../core/clock.ts'
import type { UserId } from '../core/ids.ts'
import type { User, Users } from '../users/ports.ts'
import { requireMembership } from './authorizeMember.ts'
import { OrganizationError } from './errors.ts'
import { digestInvitationToken, invitationIdOf } from './invitationDigests.ts'
import type { FoundInvitation, Invitation, Invitations, OwnOrganization } from './ports.ts'
import { requireVerifiedUser } from './requireVerifiedUser.ts'
import { retryOnConflict } from './retryOnConflict.ts'

export interface AcceptDeps {
  invitations: Pick<Invitations, 'find' | 'accept'>
  users: Pick<Users, 'find'>
  clock: Clock
}

/**
 * Makes the user a member, once for each token. Whoever used it is answered the same again while they are a member.
 * @throws OrganizationError `email_not_verified`, whatever the token; `invitation_invalid` for a token that is unknown, expired,
 *   used, revoked, replaced, meant for another address, or sent by somebody who is not an owner any more; `already_member`
 *   for whoever came in another way. CommonError `unauthorized`
 */
export function acceptInvitation(
  { invitations, users, clock }: AcceptDeps,
  { userId, token }: { userId: UserId; token: string },
): Promise<OwnOrganization> {
  const tokenDigest = digestInvitationToken(token)
  return retryOnConflict(async () => {
    const user = await requireVerifiedUser(users, userId)
    const found = await invitations.find(tokenDigest, userId)
    if (!found) throw new OrganizationError('invitation_invalid', { message: 'unknown invitation' })
    const isMember = found.roleOf(userId) !== undefined
    if (isMember && found.usedBy === userId) return requireMembership(found, userId)
    const invitation = requireValid(found, user, clock.now())
    if (isMember) throw new OrganizationError('already_member')
    const outcome = await invitations.accept(invitation, user, clock.now())
    if (outcome !== 'written') return outcome
    return requireMembership({ ...found, roleOf: () => invitation.role }, userId)
  })
}

function requireValid({ invitation, roleOf }: FoundInvitation, user: User, now: number): Invitation {
  const refuse = (message: string) => new OrganizationError('invitation_invalid', { message })
  if (invitation === undefined) throw refuse('invitation used, revoked or replaced')
  if (invitation.validUntil <= now) throw refuse('invitation expired')
  if (invitation.id !== invitationIdOf(user.email)) throw refuse('invitation of another address')
  if (roleOf(invitation.invitedBy) !== 'owner') throw refuse('inviter is not an owner any more')
  return invitation
}
