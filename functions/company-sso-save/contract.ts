import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { signOnPath, signOnResource, signOnSettings } from '../../lib/organizations/signOn/signOnResource.ts'

/** PUT /api/organizations/{organization_id}/sso. */
export const contract = {
  path: signOnPath,
  recentSignIn: true,
  body: signOnSettings,
  responses: { 200: signOnResource, 409: errorOf('domain_required') },
} as const satisfies Contract
