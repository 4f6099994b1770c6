import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { profileUpdate, userResource } from '../../lib/users/userResource.ts'

/** PATCH /api/users/me */
export const contract = {
  body: profileUpdate,
  responses: {
    200: userResource,
    409: z.object({ detail: z.literal('USERNAME_ALREADY_EXISTS') }),
  },
} as const satisfies Contract
