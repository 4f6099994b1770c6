import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { signOnPath } from '../../lib/organizations/signOn/signOnResource.ts'

/** DELETE /api/organizations/{organization_id}/sso. */
export const contract = {
  path: signOnPath,
  recentSignIn: true,
  responses: { 204: z.undefined(), 404: errorOf('organization_not_found', 'sso_not_found') },
} as const satisfies Contract
