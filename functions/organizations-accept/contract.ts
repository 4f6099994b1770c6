import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString } from '../../lib/http/scalars.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** POST /api/organizations/invitations/accept. */
export const contract = {
  body: z.object({ token: boundedString({ min: 1, max: 255 }) }),
  responses: {
    200: organizationResource,
    400: z.object({
      detail: z.literal('The invitation is invalid, expired, used or meant for another email address'),
    }),
    403: z.object({ detail: z.literal('Email address is not verified') }),
    409: z.object({ detail: z.literal('ALREADY_MEMBER') }),
  },
} as const satisfies Contract
