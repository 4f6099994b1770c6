import { toSavedCardResource } from '../../lib/billing/customer/cardResource.ts'
import { listCards } from '../../lib/billing/customer/cards.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** GET /api/billing/payment-methods: lists the cards that an organization has saved. */
export const handler = protectedEndpoint(contract, httpDeps({ isCountedFirst: true }), async ({ caller, query }) => {
  const cards = await listCards(deps, { organizationId: query.organization_id, caller })
  return { status: 200, body: { payment_methods: cards.map(toSavedCardResource), next_cursor: null } }
})
