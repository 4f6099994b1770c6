import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Invitations, Organizations } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'

interface RevokeDeps extends AuditDeps {
  organizations: Pick<Organizations, 'read'>
  invitations: Pick<Invitations, 'revoke'>
}

/**
 * Voids an invitation.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `invitation_not_found`
 */
export async function revokeInvitation(
  deps: RevokeDeps,
  request: OrganizationRequest & { invitationId: string },
): Promise<void> {
  const { organizationId, caller, invitationId } = request
  const entry = entryBy(deps, request, { action: 'invitation.revoked', target: invitationId, detail: {} })
  const outcome = await retryOnConflict(async () => {
    await readAuthorized(deps.organizations, request, 'manage organization')
    return deps.invitations.revoke(organizationId, { id: invitationId, by: caller, entry })
  })
  if (outcome === 'not_found') throw new OrganizationError('invitation_not_found')
}
