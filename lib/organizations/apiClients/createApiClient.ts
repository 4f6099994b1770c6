import { createHash } from 'node:crypto'
import type { ResourceScope } from '../../core/scopes.ts'
import { entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { notifyOfChange } from '../notifyOfChange.ts'
import type { ApiClient } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import type { ChangeApiClientDeps } from './apiClientDeps.ts'

/** An API client and its new secret; null if an earlier execution of the same request created both. */
interface NewApiClient {
  client: ApiClient
  secret: string | null
}

/**
 * Creates an API client of an organization and mails the other owners. Its secret has 256 random bits; only the digest is stored.
 * @param request `id` is the same UUID in each execution of the same request
 * @throws OrganizationError `organization_not_found`, `forbidden`, `too_many_api_clients`; CommonError `invalid_token`
 */
export async function createApiClient(
  deps: ChangeApiClientDeps,
  request: OrganizationRequest & { id?: string | undefined; name: string; scopes: readonly ResourceScope[] },
): Promise<NewApiClient> {
  const { organizationId, caller, name, id = deps.ids.uuid() } = request
  const scopes = [...new Set(request.scopes)]
  const secret = deps.ids.secret()
  const { organization, isNew, ...made } = await retryOnConflict(async () => {
    const { organization } = await readAuthorized(deps.organizations, request, 'manage organization')
    const client = { organizationId, id, name, scopes, createdAt: deps.clock.now(), createdBy: caller.userId }
    const created = { action: 'api_client.created', target: id, detail: { name, scopes } } as const
    const write = { by: caller, entry: entryBy(deps, request, created) }
    const outcome = await deps.apiClients.create(client, digestOf(secret), write)
    if (outcome === 'too_many') throw new OrganizationError('too_many_api_clients')
    if (outcome === 'written') return { client, secret, organization, isNew: true }
    const stored = outcome === 'exists' ? await deps.apiClients.find(organizationId, id) : undefined
    return stored ? { client: stored, secret: null, organization, isNew: false } : 'conflict'
  })
  if (isNew) await notifyOfChange(deps, { organization, actor: caller.userId, apiClient: name, kind: 'created' })
  return made
}

/** Must equal `lib/oauth/secretDigest.ts`, which compares it. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
