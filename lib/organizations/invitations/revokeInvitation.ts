import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { authorizeMember } from '../authorizeMember.ts'
import type { Invitations, Organizations } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'

interface RevokeDeps extends AuditDeps {
  organizations: Pick<Organizations, 'read'>
  invitations: Pick<Invitations, 'revoke'>
}

/**
 * Voids an invitation. Does nothing if it does not exist: safe to repeat.
 * @throws OrganizationError `organization_not_found`, `forbidden`
 */
export async function revokeInvitation(
  deps: RevokeDeps,
  request: { organizationId: OrganizationId; caller: Caller; invitationId: string },
): Promise<void> {
  const { organizationId, caller, invitationId } = request
  const entry = entryBy(deps, request, { action: 'invitation.revoked', target: invitationId, detail: {} })
  await retryOnConflict(async () => {
    const view = await deps.organizations.read(organizationId, caller)
    authorizeMember(view, caller.userId, 'manage organization')
    return deps.invitations.revoke(organizationId, { id: invitationId, by: caller, entry })
  })
}
