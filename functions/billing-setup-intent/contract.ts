import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { errorOf } from '../../lib/http/errorBody.ts'
import { repeatableRequest } from '../../lib/http/idempotencyKey.ts'
import { organizationId } from '../../lib/http/scalars.ts'

/** POST /api/billing/card-gateway/setup-intent. */
export const contract = {
  scope: 'billing:write',
  query: z.object({ organization_id: organizationId() }),
  headers: repeatableRequest,
  responses: {
    200: z.object({ client_secret: z.string() }).register(z.globalRegistry, { id: 'SetupIntent' }),
    409: errorOf('card_not_accepted', 'organization_deleting'),
  },
} as const satisfies Contract
