import type { Contract } from '../../lib/http/contract.ts'
import { userResource } from '../../lib/users/userResource.ts'

/** GET /api/users/me */
export const contract = {
  responses: { 200: userResource },
} as const satisfies Contract
