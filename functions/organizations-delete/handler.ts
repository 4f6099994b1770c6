import { toRfc3339 } from '../../lib/core/clock.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { deleteOrganization } from '../../lib/organizations/deletion/deleteOrganization.ts'
import { debtsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDeletionDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = { ...organizationDeletionDepsFromEnvironment(), debts: await debtsFromEnvironment() }

/** DELETE /api/organizations/{organization_id}: plans the erasure of an organization if it is not subscribed and owes nothing. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, language }) => {
  const eraseAfter = await deleteOrganization(deps, { organizationId: path.organization_id, caller, language })
  return { status: 202, body: { deletion_at: toRfc3339(eraseAfter) } }
})
