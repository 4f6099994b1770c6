import { lastUpdate, readEntitlements } from '../../lib/billing/subscriptions/readEntitlements.ts'
import { readAnswer } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingRecordsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = httpDeps()
const billing = { ...deps, records: billingRecordsFromEnvironment() }

/** GET /api/billing/entitlements: lists what an organization may use. */
export const handler = protectedEndpoint(contract, deps, async ({ caller, query, headers }) => {
  const organizationId = query.organization_id
  const entitlements = await readEntitlements(billing, { organizationId, caller })
  const body = {
    entitlements: entitlements.map(({ product, active, validUntil, updatedAt }) => ({
      product,
      active,
      valid_until: validUntil,
      updated_at: updatedAt,
    })),
    next_cursor: null,
    updated_at: lastUpdate(entitlements),
  }
  return readAnswer(body, headers)
})
