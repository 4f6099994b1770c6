import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'
import { emailSchema } from '../../lib/users/emailKey.ts'
import { mailSentResource } from '../../lib/users/links/sendLink.ts'

/** POST /api/auth/password/forgot */
export const contract = {
  body: z.object({ email: described('The address of the account', emailSchema) }),
  responses: {
    202: mailSentResource,
  },
} as const satisfies Contract
