import { createHash } from 'node:crypto'
import type { Ids } from '../../core/ids.ts'
import type { ResourceScope } from '../../core/scopes.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { ApiClient } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import type { ApiClientDeps } from './apiClientDeps.ts'

/** An API client and its new secret; null if an earlier execution of the same request created both. */
interface NewApiClient {
  client: ApiClient
  secret: string | null
}

/**
 * Creates an API client of an organization. Its secret has 256 random bits; only the digest is stored.
 * @param request `id` is the same UUID in each execution of the same request
 * @throws OrganizationError `organization_not_found`, `forbidden`, `too_many_api_clients`; CommonError `invalid_token`
 */
export function createApiClient(
  deps: ApiClientDeps & AuditDeps & { ids: Ids },
  request: OrganizationRequest & { id?: string | undefined; name: string; scopes: readonly ResourceScope[] },
): Promise<NewApiClient> {
  const { organizationId, caller, name, id = deps.ids.uuid() } = request
  const scopes = [...new Set(request.scopes)]
  const secret = deps.ids.secret()
  return retryOnConflict(async () => {
    await readAuthorized(deps.organizations, request, 'manage organization')
    const client = { organizationId, id, name, scopes, createdAt: deps.clock.now(), createdBy: caller.userId }
    const created = { action: 'api_client.created', target: id, detail: { name, scopes } } as const
    const write = { by: caller, entry: entryBy(deps, request, created) }
    const outcome = await deps.apiClients.create(client, digestOf(secret), write)
    if (outcome === 'too_many') throw new OrganizationError('too_many_api_clients')
    if (outcome === 'written') return { client, secret }
    const stored = outcome === 'exists' ? await deps.apiClients.find(organizationId, id) : undefined
    return stored ? { client: stored, secret: null } : 'conflict'
  })
}

/** Must equal `lib/oauth/secretDigest.ts`, which compares it. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
