import { deletionResource } from '../../lib/core/deletion.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'

/** DELETE /api/users/me */
export const contract = {
  recentSignIn: true,
  responses: {
    202: deletionResource,
    409: errorOf('sole_owner', 'organization_subscribed', 'too_many_organizations'),
  },
} as const satisfies Contract
