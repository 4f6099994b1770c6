import * as z from 'zod/mini'
import { eventResource } from '../../lib/events/eventResource.ts'
import { factTypes } from '../../lib/events/eventTypes.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { described, named, nextCursor, organizationId } from '../../lib/http/schema.ts'

/** GET /api/organizations/{organization_id}/events: those of 30 days, newest first. */
export const contract = {
  scope: 'events:read',
  forServiceClients: true,
  path: z.object({ organization_id: organizationId() }),
  query: z.object({ ...pageQuery, type: described('Only events of this type', z.optional(z.enum(factTypes))) }),
  responses: {
    200: named(
      'EventList',
      z.strictObject({ events: described('Newest first', z.array(eventResource)), next_cursor: nextCursor }),
    ),
  },
} as const satisfies Contract
