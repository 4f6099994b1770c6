import * as z from 'zod/mini'
import { isCountry } from '../../lib/billing/customer/countries.ts'
import { detailsResource } from '../../lib/billing/customer/detailsResource.ts'
import { taxIdTypes } from '../../lib/billing/gateway/taxIdTypes.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import { conditionalChange } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId } from '../../lib/http/schema.ts'
import { organizationName } from '../../lib/organizations/organizationResource.ts'
import { emailSchema } from '../../lib/users/emailKey.ts'

const unassigned = { type: 'value_error', msg: 'Value error, not a country code of ISO 3166-1' }
const country = z.string().check(
  z.regex(/^[A-Z]{2}$/),
  z.refine((code) => isCountry(code), { params: unassigned }),
)
const line = (max: number) => z._default(z.nullable(z.string().check(z.maxLength(max))), null)

/** PATCH /api/billing/details: an absent field does not change, null deletes it. `address` replaces the whole address. */
export const contract = {
  scope: 'billing:write',
  query: z.object({ organization_id: organizationId() }),
  headers: conditionalChange,
  body: z.object({
    name: described('The name on invoices', z.optional(organizationName)),
    email: described('The address that gets invoices and receipts', z.optional(emailSchema)),
    address: described(
      'The whole address, which replaces the one of now; null removes it',
      z.optional(
        z.nullable(
          z.strictObject({
            line1: described('Street and number', line(200)),
            line2: described('What the street does not say, such as a floor', line(200)),
            city: described('City', line(100)),
            state: described('State, province or region', line(100)),
            postal_code: described('Postal code', line(20)),
            country: described('Country, as ISO 3166-1 alpha-2', country),
          }),
        ),
      ),
    ),
    tax_id: described(
      'The tax number on invoices; null removes it',
      z.optional(
        z.nullable(
          z.strictObject({
            type: described('The kind of tax number, as the gateway names it', z.enum(taxIdTypes)),
            value: described('The tax number', z.string().check(z.minLength(1), z.maxLength(50))),
          }),
        ),
      ),
    ),
  }),
  recentSignIn: { where: 'email', ofUsers: true },
  responses: { 200: detailsResource, 409: errorOf('details_in_use', 'organization_deleting') },
  answerHeaders: { 200: ['ETag'] },
} as const satisfies Contract
