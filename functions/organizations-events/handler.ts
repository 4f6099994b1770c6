import { toEventResource } from '../../lib/events/eventResource.ts'
import { listEvents } from '../../lib/events/listEvents.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import { eventLogDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = eventLogDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/events: lists what other systems were sent about an organization, newest first. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query }) => {
  const { organization_id: organizationId } = path
  const { cursor, ...wanted } = query
  const page = { ...wanted, after: fromCursor(organizationId, cursor) }
  const { events, next } = await listEvents(deps, { organizationId, caller, page })
  return { status: 200, body: { events: events.map(toEventResource), next_cursor: toCursor(organizationId, next) } }
})
