import type { Clock } from '../../core/clock.ts'
import { type Deletion, GRACE } from '../../core/deletion.ts'
import type { Language } from '../../core/language.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationOwesError, OrganizationSubscribedError } from '../errors.ts'
import type { Debts, Organizations } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { organizationDeletionScheduled } from './mails.ts'
import { type NotifyDeps, notifyOwners } from './notifyOwners.ts'
import type { OrganizationDeletions } from './ports.ts'

/** Dependencies of a request for deletion, including its mails. */
export interface DeleteOrganizationDeps extends AuditDeps, NotifyDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly deletions: Pick<OrganizationDeletions, 'listHeld' | 'schedule' | 'listMembers'>
  readonly debts: Debts
  readonly clock: Clock
}

/**
 * Schedules the erasure of an organization without subscriptions or debts and mails its owners, who may restore it until then. Meanwhile it cannot
 * buy anything and users cannot join. A repeated request changes nothing.
 * @returns when the erasure begins at the earliest, in Unix milliseconds
 * @throws OrganizationError `organization_not_found`, `forbidden`; OrganizationSubscribedError with the products that prevent it;
 * OrganizationOwesError with the invoices; BillingError `gateway_unavailable`, `gateway_refused` if it is not known what it owes
 */
export async function deleteOrganization(
  deps: DeleteOrganizationDeps,
  request: OrganizationRequest & { language: Language },
): Promise<number> {
  const { organizationId, caller, language } = request
  const { deletion, notice } = await retryOnConflict(async () => {
    const { organization } = await readAuthorized(deps.organizations, request, 'manage organization')
    if (organization.deletion) return { deletion: organization.deletion, notice: undefined }
    const held = await deps.deletions.listHeld(organizationId)
    if (held.length > 0) throw new OrganizationSubscribedError(held)
    const owed = await deps.debts.listOwed(organizationId)
    if (owed.length > 0) throw new OrganizationOwesError(owed)
    const requestedAt = deps.clock.now()
    const deletion: Deletion = { requestedAt, eraseAfter: requestedAt + GRACE, language }
    const scheduled = { action: 'organization.deletion_scheduled', target: organizationId, detail: {} } as const
    const entry = entryBy(deps, request, scheduled)
    const outcome = await deps.deletions.schedule(organizationId, { by: caller, deletion, entry })
    return outcome === 'written' ? { deletion, notice: organization } : outcome
  })
  const about = { by: caller.userId, mailOf: organizationDeletionScheduled }
  if (notice) await notifyOwners(deps, { ...notice, deletion }, about)
  return deletion.eraseAfter
}
