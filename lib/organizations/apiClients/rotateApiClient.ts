import type { Ids } from '../../core/ids.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { ApiClient } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ExpiryOfPrevious, secretOverlaps } from './apiClient.ts'
import { type ApiClientDeps, openApiClient } from './apiClientDeps.ts'
import { digestOf } from './createApiClient.ts'

/**
 * Gives an API client a new secret. The previous secret stays valid for an hour or a day, so it can be replaced without downtime. Only once
 * within that time: of any number of concurrent requests one succeeds, and no secret in use ends early. `now` is for a secret that leaked: it
 * is always allowed, and ends every earlier secret. Access tokens stay valid.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `api_client_not_found`, `api_client_rotating`; CommonError
 *   `invalid_token`
 */
export function rotateApiClient(
  deps: ApiClientDeps & AuditDeps & { ids: Ids },
  request: OrganizationRequest & { id: string; expirePrevious: ExpiryOfPrevious },
): Promise<{ client: ApiClient; secret: string }> {
  const secret = deps.ids.secret()
  return retryOnConflict(async () => {
    const client = await openApiClient(deps, request)
    const now = deps.clock.now()
    const { expirePrevious } = request
    const previousUntil = expirePrevious === 'now' ? undefined : now + secretOverlaps[expirePrevious]
    const detail = { expire_previous: expirePrevious }
    const rotated = { action: 'api_client.rotated', target: client.id, detail } as const
    const write = { by: request.caller, entry: entryBy(deps, request, rotated) }
    const outcome = await deps.apiClients.rotate(client, { digest: digestOf(secret), previousUntil, now }, write)
    if (outcome === 'rotating') throw new OrganizationError('api_client_rotating')
    return outcome === 'written' ? { client: { ...client, previousSecretUntil: previousUntil }, secret } : outcome
  })
}
