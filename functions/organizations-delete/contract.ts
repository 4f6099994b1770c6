import * as z from 'zod/mini'
import { deletionResource } from '../../lib/core/deletion.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** DELETE /api/organizations/{organization_id}. If the organization is subscribed, 409 names the products. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  recentSignIn: true,
  responses: {
    202: deletionResource,
    409: z.extend(errorOf('organization_subscribed'), { products: z.array(z.string()) }),
  },
} as const satisfies Contract
