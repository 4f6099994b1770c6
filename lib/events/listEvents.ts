import type { Clock } from '../core/clock.ts'
import type { AnyCaller } from '../core/identity.ts'
import { type OrganizationRequest, readAuthorizedOrScoped } from '../organizations/authorizeMember.ts'
import type { Organizations } from '../organizations/ports.ts'
import type { EventLog, EventPage, EventPageRequest } from './ports.ts'

export interface ListEventsDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly events: EventLog
  readonly clock: Clock
}

interface ListEventsRequest extends OrganizationRequest<AnyCaller> {
  readonly page: Omit<EventPageRequest, 'now'>
}

/**
 * A page of an organization's events of the last 30 days, newest first, for its owners, and for clients whose scope names events.
 * @throws OrganizationError `organization_not_found`, `forbidden`; CommonError `invalid_token`
 */
export async function listEvents(
  { organizations, events, clock }: ListEventsDeps,
  { page, ...request }: ListEventsRequest,
): Promise<EventPage> {
  await readAuthorizedOrScoped(organizations, request, 'manage organization')
  return events.list(request.organizationId, { ...page, now: clock.now() })
}
