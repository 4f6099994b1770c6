import * as z from 'zod/mini'
import { conditionalRead } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'
import { signInRulesResource } from '../../lib/organizations/admission/signInRulesResource.ts'

/** GET /api/organizations/{organization_id}/sign-in-rules. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  headers: conditionalRead,
  responses: { 200: signInRulesResource, 304: z.undefined() },
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
} as const satisfies Contract
