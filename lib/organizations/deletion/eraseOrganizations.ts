import type { Clock } from '../../core/clock.ts'
import type { Deletion } from '../../core/deletion.ts'
import { type ErasureReport, eraseDue } from '../../core/eraseDue.ts'
import { reasonOf } from '../../core/errors.ts'
import type { AuditDeps } from '../auditEntry.ts'
import type { Organization } from '../ports.ts'
import { organizationDeletionReminder, organizationErased } from './mails.ts'
import { type NotifyDeps, notifyOwners } from './notifyOwners.ts'
import type { CustomerErasure, OrganizationDeletions } from './ports.ts'

export interface EraseOrganizationsDeps extends AuditDeps, NotifyDeps {
  readonly clock: Clock
  readonly deletions: Omit<OrganizationDeletions, 'listHeld' | 'schedule' | 'restore'>
  readonly customers: CustomerErasure
}

/**
 * Sends the reminders that are due and erases the organizations whose grace period has ended. If a step fails, the next run repeats it from
 * there.
 * @param finishBy Unix milliseconds; the next run does what is left
 * @throws CommonError `service_unavailable` if the due steps cannot be listed
 */
export function eraseOrganizations(deps: EraseOrganizationsDeps, finishBy: number): Promise<ErasureReport> {
  return eraseDue(
    deps,
    {
      async find({ id, eraseAfter }) {
        const organization = await deps.deletions.find(id)
        const deletion = organization?.deletion
        return organization && deletion?.eraseAfter === eraseAfter ? { organization, deletion } : undefined
      },
      remind: ({ organization }) =>
        notifyOwners(deps, organization, { by: 'system', mailOf: organizationDeletionReminder }),
      erase: (found) => erase(deps, found),
      failed({ id: organizationId, step }, error) {
        deps.logger.error('Organization not erased', { organizationId, step, reason: reasonOf(error) })
      },
    },
    finishBy,
  )
}

/**
 * The order: first the gateway's customer, while its id is known; members after the mail to them; then the API clients and
 * endpoints that owners created; the organization last.
 */
async function erase(
  deps: EraseOrganizationsDeps,
  { organization, deletion }: { organization: Organization; deletion: Deletion },
): Promise<'erased' | 'nothing'> {
  const { deletions, customers } = deps
  const { id } = organization
  const begun = await deletions.begin(id, deletion, deps.clock.now())
  if (begun === 'held') throw new Error('a subscription holds a slot')
  if (begun === 'not_due') return 'nothing'
  await customers.eraseCustomer(id)
  await deletions.eraseBelongings(id)
  await notifyOwners(deps, organization, { by: 'system', mailOf: organizationErased })
  for (const member of await deletions.listMembers(id)) await deletions.eraseMember(id, member)
  await deletions.eraseApiClients(id)
  await deletions.expireEndpoints(id, deps.clock.now())
  await deletions.eraseOrganization(id, deletion, {
    ...{ organizationId: id, id: deps.ids.uuid(), at: deps.clock.now(), actor: { type: 'system', id: null } },
    ...{ action: 'organization.erased', target: id, detail: {} },
  })
  return 'erased'
}
