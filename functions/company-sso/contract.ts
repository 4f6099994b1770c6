import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { signOnPath, signOnResource } from '../../lib/organizations/signOn/signOnResource.ts'

/** GET /api/organizations/{organization_id}/sso. */
export const contract = {
  path: signOnPath,
  responses: { 200: signOnResource, 404: errorOf('organization_not_found', 'sso_not_found') },
} as const satisfies Contract
