import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import type { Invitations } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { findReceived, type ReceivedDeps } from './acceptInvitation.ts'

interface DeclineDeps extends AuditDeps, ReceivedDeps {
  readonly invitations: Pick<Invitations, 'find' | 'decline'>
  readonly clock: AuditDeps['clock']
}

/**
 * Ends an invitation in the user's own list, with its mailed link. The organization may send another. An offer of a domain is not made again.
 * @throws OrganizationError `email_not_verified`, `invitation_not_found`, also if repeated; CommonError `invalid_token`
 */
export async function declineInvitation(deps: DeclineDeps, request: { caller: Caller; id: string }): Promise<void> {
  const { caller } = request
  await retryOnConflict(async () => {
    const received = await findReceived(deps, request)
    const { user } = received
    const declined = (organizationId: OrganizationId, target: string) =>
      entryBy(deps, { organizationId, caller }, { action: 'invitation.declined', target, detail: {} })
    if (received.kind === 'offer') {
      const { offer } = received
      const joiner = { userId: user.id, email: user.email, caller }
      return deps.domainMembers.decline(offer, joiner, declined(offer.organization.id, request.id))
    }
    const { invitation } = received
    const entry = declined(invitation.organizationId, invitation.id)
    return deps.invitations.decline(invitation, { by: caller, email: user.email, entry })
  })
}
