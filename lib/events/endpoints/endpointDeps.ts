import type { AuditDeps } from '../../organizations/auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../../organizations/authorizeMember.ts'
import type { Organizations } from '../../organizations/ports.ts'
import { EventError } from '../errors.ts'
import type { Endpoint } from '../ports.ts'
import type { Endpoints } from './ports.ts'

/** Dependencies of reading the endpoints of an organization. */
export interface EndpointDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly endpoints: Endpoints
}

/** Dependencies of changing them. */
export interface ChangeEndpointDeps extends EndpointDeps, AuditDeps {}

/** A request of an owner about an endpoint. */
export interface EndpointRequest extends OrganizationRequest {
  readonly id: string
}

/**
 * Returns an endpoint of the organization, for its owners.
 * @throws OrganizationError `organization_not_found`, `forbidden`; EventError `webhook_endpoint_not_found`; CommonError `invalid_token`
 */
export async function openEndpoint(deps: EndpointDeps, request: EndpointRequest): Promise<Endpoint> {
  await readAuthorized(deps.organizations, request, 'manage organization')
  const found = await deps.endpoints.find(request.organizationId, request.id)
  if (found === undefined) throw new EventError('webhook_endpoint_not_found')
  return found
}

/**
 * Returns an endpoint that events can be sent to, for its owners.
 * @throws as `openEndpoint`; EventError `webhook_endpoint_disabled`
 */
export async function openEnabledEndpoint(deps: EndpointDeps, request: EndpointRequest): Promise<Endpoint> {
  const endpoint = await openEndpoint(deps, request)
  if (!endpoint.enabled) throw new EventError('webhook_endpoint_disabled')
  return endpoint
}

/** What the audit log says of an endpoint. Its host alone: the rest of a URL may hold a secret. */
export function endpointDetail({ url, eventTypes }: Endpoint) {
  return { host: URL.parse(url)?.host ?? '', event_types: eventTypes && [...eventTypes] }
}
