import type * as z from 'zod/mini'
import { changeDetails } from '../../lib/billing/customer/details.ts'
import { toDetailsResource } from '../../lib/billing/customer/detailsResource.ts'
import { etagOf, ifMatch } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { ValidationError } from '../../lib/http/errors.ts'
import { buyingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await buyingDepsFromEnvironment()

/** PATCH /api/billing/details: changes what the gateway prints on an organization's invoices. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query, headers, body }) => {
  const changed = await changeDetails(deps, {
    organizationId: query.organization_id,
    caller,
    change: toChange(body),
    precondition: ifMatch(headers, toDetailsResource),
  })
  if (changed.kind === 'refused_at') throw refusedAt(changed.field)
  const resource = toDetailsResource(changed.details)
  return { status: 200, body: resource, headers: { etag: etagOf(resource) } }
})

function toChange({ name, email, address, tax_id: taxId }: z.output<typeof contract.body>) {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(address !== undefined && { address: address && toAddress(address) }),
    ...(taxId !== undefined && { taxId }),
  }
}

function toAddress({ postal_code: postalCode, ...address }: NonNullable<z.output<typeof contract.body>['address']>) {
  return { ...address, postalCode }
}

/** 422 for the field, if the gateway refused its value. */
function refusedAt(field: string): ValidationError {
  const msg = 'Value error, the payment gateway does not accept this value'
  return new ValidationError([{ loc: ['body', ...field.split('.')], msg, type: 'value_error' }])
}
