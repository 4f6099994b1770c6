import type { Product, Subscription } from '../app/types.ts'
import type { Resource } from '../ui/resource.ts'

const EVERY_MS = 700
const PATIENCE_MS = 20_000

/**
 * Reads the subscriptions until this subscription has settled: after 3-D Secure it is active when the payment
 * provider's event has arrived. Gives up after 20 s.
 * @returns the latest state of the subscription
 */
export async function settle(
  subscriptions: Resource<readonly Subscription[]>,
  product: Product,
): Promise<Subscription | undefined> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    await subscriptions.reload()
    const found = subscriptions.snapshot().value?.find((subscription) => subscription.product === product)
    const waits = found?.action === 'wait' || found?.action === 'confirm_payment'
    if (!waits || Date.now() >= until) return found
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
