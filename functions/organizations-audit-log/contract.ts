import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { timeRangeQuery } from '../../lib/http/request/timeRange.ts'
import { described, organizationId, patternString } from '../../lib/http/schema.ts'
import { auditActionSchema } from '../../lib/organizations/auditActions.ts'
import { auditEntryResource, auditLogResource } from '../../lib/organizations/auditLogResource.ts'

/** GET /api/organizations/{organization_id}/audit-log; whole and without pages as NDJSON. `from` and `to` are about `at`. */
export const contract = {
  scope: 'audit_log:read',
  forServiceClients: true,
  path: z.object({ organization_id: organizationId() }),
  query: z.object({
    ...pageQuery,
    action: described('Only entries of this action', z.optional(auditActionSchema)),
    actor_id: described(
      'Only changes of the user or the API client with this id',
      z.optional(patternString(/^[A-Za-z0-9_-]{1,100}$/)),
    ),
    ...timeRangeQuery,
  }),
  responses: { 200: auditLogResource },
  lines: auditEntryResource,
} as const satisfies Contract
