import { toRfc3339 } from '../../lib/core/clock.ts'
import { protectedEndpoint } from '../../lib/http/endpoint.ts'
import { toAuditEntryResource } from '../../lib/organizations/auditLogResource.ts'
import { exportOwnData } from '../../lib/organizations/exportOwnData.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { exportDepsFromEnvironment } from '../../lib/runtime/exports.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { toUserResource } from '../../lib/users/userResource.ts'
import { contract } from './contract.ts'

const deps = exportDepsFromEnvironment()

/** GET /api/users/me/export: everything that is kept of the caller, as a file. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  const { exportedAt, user, organizations, consents, entries } = await exportOwnData(deps, caller)
  return {
    status: 200,
    body: {
      exported_at: toRfc3339(exportedAt),
      user: toUserResource(user),
      organizations: organizations.map(toOrganizationResource),
      consents: consents.map(({ clientId, scope, givenAt }) => ({
        client_id: clientId,
        scopes: scope.split(' ').filter((part) => part !== ''),
        granted_at: toRfc3339(givenAt),
      })),
      audit_entries: entries.map((entry) => ({
        organization_id: entry.organizationId,
        ...toAuditEntryResource(entry),
      })),
    },
    headers: { 'content-disposition': 'attachment; filename="account.json"' },
  }
})
