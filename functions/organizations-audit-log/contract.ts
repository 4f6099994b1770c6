import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { organizationId } from '../../lib/http/schema.ts'
import { auditLogResource } from '../../lib/organizations/auditLogResource.ts'

/** GET /api/organizations/{organization_id}/audit-log, for owners. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  query: z.object(pageQuery),
  responses: { 200: auditLogResource },
} as const satisfies Contract
