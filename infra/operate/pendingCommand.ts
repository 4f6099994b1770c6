import type { PendingPurchase } from '../../lib/billing/operate/pendingPurchases.ts'
import { toRfc3339 } from '../../lib/core/clock.ts'
import type { Run } from './command.ts'

const known = {
  sending: 'a request sends it now',
  unknown: 'the answer of Stripe was lost',
  stored_failure: 'Stripe failed and may still make it, for 20 hours',
  absent_for_certain: 'it can no longer arrive',
} as const satisfies Record<PendingPurchase['knowledge'], string>

/** `pending`: prints every purchase under way, the oldest first, with a search for its customer at Stripe. Changes nothing. */
export const pending: Run = async (_none, { connect }) => {
  await connect()
  const { pendingPurchasesDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const { pendingPurchases } = await import('../../lib/billing/operate/pendingPurchases.ts')
  const deps = await pendingPurchasesDepsFromEnvironment()
  const purchases = await pendingPurchases(deps)
  for (const { organizationId, product, n, since, nextSweepAt, knowledge } of purchases) {
    const age = Math.floor((deps.clock.now() - since) / 60_000)
    console.log(`pending: ${organizationId} ${product}, purchase ${n}, for ${age} minutes: ${known[knowledge]}`)
    console.log(`  next looked up at ${toRfc3339(nextSweepAt)}; customer: ${customerSearch(organizationId)}`)
  }
  console.log(purchases.length === 1 ? '1 purchase is under way' : `${purchases.length} purchases are under way`)
  return 0
}

/** Stripe's Dashboard finds a customer by its metadata (Stripe's documentation, Search: `metadata:key=value`). */
function customerSearch(organizationId: string): string {
  const query = encodeURIComponent(`metadata:organization_id=${organizationId}`)
  return `https://dashboard.stripe.com/search?query=${query}`
}
