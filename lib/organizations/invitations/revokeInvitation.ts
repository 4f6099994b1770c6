import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
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
  request: OrganizationRequest & { invitationId: string },
): Promise<void> {
  const { organizationId, caller, invitationId } = request
  const entry = entryBy(deps, request, { action: 'invitation.revoked', target: invitationId, detail: {} })
  await retryOnConflict(async () => {
    await readAuthorized(deps.organizations, request, 'manage organization')
    return deps.invitations.revoke(organizationId, { id: invitationId, by: caller, entry })
  })
}
