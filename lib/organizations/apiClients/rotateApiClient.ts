import { entryBy } from '../auditEntry.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { notifyOfChange } from '../notifyOfChange.ts'
import type { ApiClient } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ExpiryOfPrevious, secretOverlaps } from './apiClient.ts'
import { type ChangeApiClientDeps, openApiClient } from './apiClientDeps.ts'
import { digestOf } from './createApiClient.ts'

/**
 * Gives an API client a new secret. The previous secret stays valid for an hour or a day, so it can be replaced without downtime. Only once
 * within that time: of any number of concurrent requests one succeeds, and no secret in use ends early. `now` is for a secret that leaked: it
 * is always allowed, and ends every earlier secret. Access tokens stay valid. The other
 * owners are mailed.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `api_client_not_found`, `api_client_rotating`; CommonError
 *   `invalid_token`
 */
export async function rotateApiClient(
  deps: ChangeApiClientDeps,
  request: OrganizationRequest & { id: string; expirePrevious: ExpiryOfPrevious },
): Promise<{ client: ApiClient; secret: string }> {
  const secret = deps.ids.secret()
  const { organization, ...rotated } = await retryOnConflict(async () => {
    const { client, organization } = await openApiClient(deps, request)
    const now = deps.clock.now()
    const { expirePrevious } = request
    const previousUntil = expirePrevious === 'now' ? undefined : now + secretOverlaps[expirePrevious]
    const detail = { expire_previous: expirePrevious }
    const done = { action: 'api_client.rotated', target: client.id, detail } as const
    const write = { by: request.caller, entry: entryBy(deps, request, done) }
    const outcome = await deps.apiClients.rotate(client, { digest: digestOf(secret), previousUntil, now }, write)
    if (outcome === 'rotating') throw new OrganizationError('api_client_rotating')
    if (outcome === 'conflict') return outcome
    return { client: { ...client, previousSecretUntil: previousUntil }, secret, organization }
  })
  const actor = request.caller.userId
  await notifyOfChange(deps, { organization, actor, apiClient: rotated.client.name, kind: 'rotated' })
  return rotated
}
