import * as z from 'zod/mini'
import { deletionResource } from '../../lib/core/deletion.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import { conditionalChange } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named } from '../../lib/http/schema.ts'

const refusals = errorOf(
  'sole_owner',
  'break_glass_owner',
  'organization_subscribed',
  'organization_owes',
  'too_many_organizations',
)

/** DELETE /api/users/me */
export const contract = {
  recentSignIn: true,
  refusesNewFactor: true,
  headers: conditionalChange,
  responses: {
    202: deletionResource,
    409: named(
      'AccountInUse',
      z.extend(refusals, {
        invoices: described(
          'Present if `code` is `organization_owes`: the ids of the unpaid invoices.',
          z.optional(z.array(z.string())),
        ),
      }),
    ),
  },
} as const satisfies Contract
