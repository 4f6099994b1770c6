import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { usernameSchema } from '../../lib/users/username.ts'
import { userResource } from '../../lib/users/userResource.ts'

/** PATCH /api/users/me. Email and password have their own operations; here they are refused like any unknown field. */
export const contract = {
  body: z.strictObject({ username: usernameSchema.optional() }),
  responses: {
    200: userResource,
    409: z.object({ detail: z.literal('USERNAME_ALREADY_EXISTS') }),
  },
} as const satisfies Contract
