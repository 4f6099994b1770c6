import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString, described, noNextCursor } from '../../lib/http/schema.ts'
import { resetOptionResource } from '../../lib/users/password/resetOptionResource.ts'

/** POST /api/auth/password/reset/options: the account's authenticators, with those that the reset by this token may remove. Uses nothing up. */
export const contract = {
  body: z.object({ token: described('The token of the mail', boundedString({ min: 1, max: 255 })) }),
  responses: {
    200: z.strictObject({
      authenticators: described('The authenticators of the account', z.array(resetOptionResource)),
      next_cursor: noNextCursor,
    }),
    400: errorOf('link_invalid'),
  },
} as const satisfies Contract
