import * as z from 'zod/mini'
import { detailsResource } from '../../lib/billing/customer/detailsResource.ts'
import { conditionalRead } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/details. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  query: z.object({ organization_id: organizationId() }),
  headers: conditionalRead,
  responses: { 200: detailsResource, 304: z.undefined() },
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
} as const satisfies Contract
