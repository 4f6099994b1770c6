import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** GET /api/organizations. */
export const contract = {
  scope: 'profile',
  responses: {
    200: z
      .object({ organizations: z.array(organizationResource) })
      .register(z.globalRegistry, { id: 'OrganizationList' }),
  },
} as const satisfies Contract
