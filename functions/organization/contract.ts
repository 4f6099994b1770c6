import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { conditionalRead } from '../../lib/http/etag.ts'
import { organizationId } from '../../lib/http/scalars.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** GET /api/organizations/{organization_id}. */
export const contract = {
  scope: 'profile',
  path: z.object({ organization_id: organizationId() }),
  headers: conditionalRead,
  responses: { 200: organizationResource, 304: z.undefined() },
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
} as const satisfies Contract
