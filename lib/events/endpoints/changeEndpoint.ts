import { entryBy } from '../../organizations/auditEntry.ts'
import { retryOnConflict } from '../../organizations/retryOnConflict.ts'
import { type EndPendingDeps, endPending } from '../endPending.ts'
import type { EndpointUrlDeps } from '../endpointUrl.ts'
import type { Endpoint } from '../ports.ts'
import { type ChangeEndpointDeps, type EndpointRequest, endpointDetail, openEndpoint } from './endpointDeps.ts'
import { requireUsableUrl } from './newEndpoint.ts'

export interface UpdateEndpointDeps extends ChangeEndpointDeps, EndPendingDeps {
  readonly urls: EndpointUrlDeps
}

/** What an owner changes of an endpoint. A member that is left out stays as it is. */
export type EndpointChange = {
  readonly [Member in 'url' | 'eventTypes' | 'description' | 'enabled']?: Endpoint[Member] | undefined
}

/**
 * Changes an endpoint. If it gets another URL or is enabled, its failures are forgotten; if it is disabled, what is pending there ends as failed.
 * Writes nothing if nothing differs.
 * @throws OrganizationError `organization_not_found`, `forbidden`; EventError `webhook_endpoint_not_found`; RefusedUrlError; CommonError
 *   `invalid_token`, `service_unavailable`
 */
export async function changeEndpoint(
  deps: UpdateEndpointDeps,
  request: EndpointRequest & { readonly change: EndpointChange },
): Promise<Endpoint> {
  const { caller: by, change } = request
  const changed = await retryOnConflict(async () => {
    const endpoint = await openEndpoint(deps, request)
    const { next, members } = applied(endpoint, change)
    if (members.length === 0) return endpoint
    if (next.url !== endpoint.url) await requireUsableUrl(deps.urls, next.url)
    const detail = { ...endpointDetail(next), changed: members }
    const updated = { action: 'webhook_endpoint.updated', target: next.id, detail } as const
    const outcome = await deps.endpoints.change(endpoint, next, { by, entry: entryBy(deps, request, updated) })
    return outcome === 'written' ? next : outcome
  })
  if (change.enabled === false) await endPending(deps, changed.id)
  return changed
}

/** The endpoint with the change, and the members that differ, by their names in the API. */
function applied(endpoint: Endpoint, change: EndpointChange): { next: Endpoint; members: string[] } {
  const { url = endpoint.url, description = endpoint.description, enabled = endpoint.enabled } = change
  const types = change.eventTypes === undefined ? endpoint.eventTypes : change.eventTypes
  const eventTypes = types && [...new Set(types)]
  const isNew = url !== endpoint.url || (enabled && !endpoint.enabled)
  const next = { ...endpoint, url, description, enabled, eventTypes }
  const differs = {
    url: url !== endpoint.url,
    event_types: eventTypes?.join() !== endpoint.eventTypes?.join(),
    description: description !== endpoint.description,
    enabled: enabled !== endpoint.enabled,
  }
  const members = Object.entries(differs).flatMap(([member, isChanged]) => (isChanged ? [member] : []))
  return { next: isNew ? { ...next, disabledReason: null } : next, members }
}
