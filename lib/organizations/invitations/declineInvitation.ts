import type { Caller } from '../../core/identity.ts'
import type { Users } from '../../users/ports.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import type { Invitations } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { findReceived } from './acceptInvitation.ts'

interface DeclineDeps extends AuditDeps {
  invitations: Pick<Invitations, 'find' | 'decline'>
  users: Pick<Users, 'findCaller'>
}

/**
 * Ends an invitation in the user's own list, with its mailed link. The organization may send another.
 * @throws OrganizationError `email_not_verified`, `invitation_not_found`, also if repeated; CommonError `invalid_token`
 */
export async function declineInvitation(deps: DeclineDeps, request: { caller: Caller; id: string }): Promise<void> {
  const { caller } = request
  await retryOnConflict(async () => {
    const { user, invitation } = await findReceived(deps, request)
    const { organizationId, id: target } = invitation
    const entry = entryBy(deps, { organizationId, caller }, { action: 'invitation.declined', target, detail: {} })
    return deps.invitations.decline(invitation, { by: caller, email: user.email, entry })
  })
}
