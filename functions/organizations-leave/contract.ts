import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** POST /api/organizations/{organization_id}/leave. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  responses: {
    204: z.undefined(),
    409: errorOf('last_owner', 'break_glass_owner'),
  },
} as const satisfies Contract
