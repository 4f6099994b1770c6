import type Stripe from 'stripe'
import type { BillingStack } from '../support/billingStack.ts'

type Terms = Pick<
  Stripe.SubscriptionCreateParams,
  'customer' | 'metadata' | 'default_payment_method' | 'trial_period_days'
>

/** Creates a subscription to `base_ota` at the gateway, as in Stripe's Dashboard, not through the service. */
export async function createAtGateway(stack: BillingStack, terms: Terms): Promise<Stripe.Subscription> {
  const { data } = await stack.stripe.prices.list({ lookup_keys: ['base_ota'] })
  return stack.stripe.subscriptions.create({ ...terms, items: [{ price: data[0]?.id ?? '' }] })
}

/** The metadata that the service gives to purchase `n` of the organization's `ota` by the demo owner. */
export function purchaseMetadata(stack: BillingStack, organizationId: string, n = 1): Record<string, string> {
  const user_id = stack.client.info.demo.owner.id
  return { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: String(n), user_id }
}
