import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { errorOf } from '../../lib/http/errorBody.ts'
import { boundedString } from '../../lib/http/scalars.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** POST /api/organizations/invitations/accept. */
export const contract = {
  body: z.object({ token: boundedString({ min: 1, max: 255 }) }),
  responses: {
    200: organizationResource,
    400: errorOf('invitation_invalid'),
    403: errorOf('email_not_verified'),
    409: errorOf('already_member'),
  },
} as const satisfies Contract
