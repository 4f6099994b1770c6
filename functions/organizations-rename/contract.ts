import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { conditionalChange } from '../../lib/http/etag.ts'
import { organizationId } from '../../lib/http/scalars.ts'
import { organizationName, organizationResource } from '../../lib/organizations/organizationResource.ts'

/** PATCH /api/organizations/{organization_id}. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  headers: conditionalChange,
  body: z.object({ name: organizationName }),
  responses: { 200: organizationResource },
  answerHeaders: { 200: ['ETag'] },
} as const satisfies Contract
