import { toAuthenticatorResources } from '../../lib/authenticators/authenticatorResource.ts'
import { listAuthenticators, listProviderConnections } from '../../lib/authenticators/listAuthenticators.ts'
import { toProviderConnectionsResource } from '../../lib/authenticators/providerConnectionResource.ts'
import { toRfc3339 } from '../../lib/core/clock.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { listUserConsents } from '../../lib/oauth/authorize/userConsents.ts'
import { listUserSessions } from '../../lib/oauth/session/listUserSessions.ts'
import { toAuditEntryResource } from '../../lib/organizations/auditLogResource.ts'
import { exportOwnData } from '../../lib/organizations/exportOwnData.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { exportDepsFromEnvironment } from '../../lib/runtime/userSessions.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { toActivityEntryResource } from '../../lib/users/activity/activityResource.ts'
import { listActivity } from '../../lib/users/activity/listActivity.ts'
import { contract } from './contract.ts'

const deps = exportDepsFromEnvironment()

/** GET /api/users/me/export: everything stored about the caller except secrets, as a file. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  const [
    { exportedAt, user, organizations, entries },
    { consents },
    { sessions },
    authenticators,
    providers,
    activity,
  ] = await Promise.all([
    exportOwnData(deps, caller),
    listUserConsents(deps, caller),
    listUserSessions(deps, caller),
    listAuthenticators(deps, caller),
    listProviderConnections(deps, caller),
    listActivity(deps, caller, { limit: 1000, from: undefined }),
  ])
  return {
    status: 200,
    body: {
      exported_at: toRfc3339(exportedAt),
      user: toUserResource(user),
      organizations: organizations.map(toOrganizationResource),
      consents,
      sessions,
      authenticators: toAuthenticatorResources(authenticators),
      providers: toProviderConnectionsResource(providers),
      activity: activity.entries.map(toActivityEntryResource),
      audit_entries: entries.map((entry) => ({
        organization_id: entry.organizationId,
        ...toAuditEntryResource(entry),
      })),
    },
    headers: { 'content-disposition': 'attachment; filename="account.json"' },
  }
})
