import { entryBy } from '../../organizations/auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../../organizations/authorizeMember.ts'
import { retryOnConflict } from '../../organizations/retryOnConflict.ts'
import { EventError } from '../errors.ts'
import type { Endpoint } from '../ports.ts'
import { type ChangeEndpointDeps, endpointDetail } from './endpointDeps.ts'
import { type EndpointSettings, type NewEndpointDeps, newEndpoint } from './newEndpoint.ts'

export interface CreateEndpointDeps extends ChangeEndpointDeps, NewEndpointDeps {
  readonly ids: NewEndpointDeps['ids']
  readonly clock: NewEndpointDeps['clock']
}

/** An endpoint and its secret; null if an earlier execution of the same request created both. */
export interface CreatedEndpoint {
  readonly endpoint: Endpoint
  readonly secret: string | null
}

/**
 * Creates an endpoint of an organization, which hears every event from then on.
 * @param request `id` is the same UUID in each execution of the same request
 * @throws OrganizationError `organization_not_found`, `forbidden`; RefusedUrlError; EventError `too_many_endpoints`; CommonError
 *   `invalid_token`, `service_unavailable`
 */
export async function createEndpoint(
  deps: CreateEndpointDeps,
  request: OrganizationRequest & EndpointSettings & { readonly id?: string | undefined },
): Promise<CreatedEndpoint> {
  const { organizationId: owner, caller, id = deps.ids.uuid(), ...settings } = request
  return retryOnConflict(async () => {
    await readAuthorized(deps.organizations, request, 'manage organization')
    const { endpoint, secret, cipher } = await newEndpoint(deps, { owner, id, ...settings })
    const created = { action: 'webhook_endpoint.created', target: id, detail: endpointDetail(endpoint) } as const
    const entry = entryBy(deps, request, created)
    const outcome = await deps.endpoints.create(endpoint, cipher, { by: caller, entry })
    if (outcome === 'too_many') throw new EventError('too_many_endpoints')
    if (outcome === 'written') return { endpoint, secret }
    const stored = outcome === 'exists' ? await deps.endpoints.find(owner, id) : undefined
    return stored ? { endpoint: stored, secret: null } : 'conflict'
  })
}
