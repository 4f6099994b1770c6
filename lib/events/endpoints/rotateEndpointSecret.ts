import { entryBy } from '../../organizations/auditEntry.ts'
import { retryOnConflict } from '../../organizations/retryOnConflict.ts'
import { type ChangeEndpointDeps, type EndpointRequest, endpointDetail, openEndpoint } from './endpointDeps.ts'
import { type NewEndpointDeps, newSecret } from './newEndpoint.ts'

/** How long the former secret signs too; milliseconds. */
export const SECRET_OVERLAP = 24 * 60 * 60_000

export interface RotateSecretDeps extends ChangeEndpointDeps, Pick<NewEndpointDeps, 'cipher' | 'ids'> {
  readonly ids: NewEndpointDeps['ids']
}

/**
 * Gives an endpoint a new secret. The former secret signs too for 24 hours, so a receiver can replace it without a gap. A secret from before that
 * ends.
 * @throws OrganizationError `organization_not_found`, `forbidden`; EventError `webhook_endpoint_not_found`; CommonError `invalid_token`,
 *   `service_unavailable`
 */
export function rotateEndpointSecret(deps: RotateSecretDeps, request: EndpointRequest): Promise<string> {
  const { caller: by } = request
  return retryOnConflict(async () => {
    const endpoint = await openEndpoint(deps, request)
    const { secret, cipher } = await newSecret(deps, endpoint.owner)
    const previousUntil = deps.clock.now() + SECRET_OVERLAP
    const detail = endpointDetail(endpoint)
    const rotated = { action: 'webhook_endpoint.secret_rotated', target: endpoint.id, detail } as const
    const write = { by, entry: entryBy(deps, request, rotated) }
    const outcome = await deps.endpoints.rotate(endpoint, { secret: cipher, previousUntil }, write)
    return outcome === 'written' ? secret : outcome
  })
}
