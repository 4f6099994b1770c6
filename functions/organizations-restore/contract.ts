import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** POST /api/organizations/{organization_id}/restore. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  responses: {
    200: organizationResource,
    409: errorOf('organization_deleting'),
  },
} as const satisfies Contract
