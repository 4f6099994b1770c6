import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, noNextCursor } from '../../lib/http/schema.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** GET /api/organizations. */
export const contract = {
  scope: 'profile',
  responses: {
    200: named(
      'OrganizationList',
      z.object({
        organizations: described('The organizations of the user', z.array(organizationResource)),
        next_cursor: noNextCursor,
      }),
    ),
  },
} as const satisfies Contract
