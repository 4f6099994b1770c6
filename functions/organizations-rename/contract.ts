import * as z from 'zod/mini'
import { conditionalChange } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId } from '../../lib/http/schema.ts'
import { organizationName, organizationResource } from '../../lib/organizations/organizationResource.ts'

/** PATCH /api/organizations/{organization_id}. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  headers: conditionalChange,
  body: z.object({ name: described('The new name', z.optional(organizationName)) }),
  responses: { 200: organizationResource },
  answerHeaders: { 200: ['ETag'] },
} as const satisfies Contract
