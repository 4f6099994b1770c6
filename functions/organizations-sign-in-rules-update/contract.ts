import * as z from 'zod/mini'
import { conditionalChange } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'
import { signInRulesChange, signInRulesResource } from '../../lib/organizations/admission/signInRulesResource.ts'

/** PATCH /api/organizations/{organization_id}/sign-in-rules: an absent member does not change, null removes the rule. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  headers: conditionalChange,
  body: z.object(signInRulesChange),
  recentSignIn: true,
  responses: { 200: signInRulesResource },
  answerHeaders: { 200: ['ETag'] },
} as const satisfies Contract
