import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { signOnPath, signOnTest } from '../../lib/organizations/signOn/signOnResource.ts'

/** POST /api/organizations/{organization_id}/sso/test. */
export const contract = {
  path: signOnPath,
  responses: { 200: signOnTest, 404: errorOf('organization_not_found', 'sso_not_found') },
} as const satisfies Contract
