import * as z from 'zod/mini'
import { deletionResource } from '../../lib/core/deletion.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, organizationId } from '../../lib/http/schema.ts'

/** DELETE /api/organizations/{organization_id}. If the organization is subscribed or owes, 409 names the products or invoices. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  recentSignIn: true,
  refusesNewFactor: true,
  responses: {
    202: deletionResource,
    409: named(
      'OrganizationInUse',
      z.extend(errorOf('organization_subscribed', 'organization_owes'), {
        products: described(
          'Present if `code` is `organization_subscribed`: the products to cancel.',
          z.optional(z.array(z.string())),
        ),
        invoices: described(
          'Present if `code` is `organization_owes`: the ids of the unpaid invoices.',
          z.optional(z.array(z.string())),
        ),
      }),
    ),
  },
} as const satisfies Contract
