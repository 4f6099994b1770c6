import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString, described } from '../../lib/http/schema.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** POST /api/organizations/invitations/accept. */
export const contract = {
  body: z.object({ token: described('The token of the mail', boundedString({ min: 1, max: 255 })) }),
  responses: {
    200: organizationResource,
    400: errorOf('invitation_invalid'),
    403: errorOf('email_not_verified'),
    409: errorOf('already_member'),
  },
} as const satisfies Contract
