import { useServices } from '../app/services.ts'
import type { Product, Subscription } from '../app/types.ts'
import type { Resource } from '../loading/resource.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { confirmPayment } from './cards/stripe.ts'
import { namedProduct } from './products/productLook.ts'

/** Payments, and confirmations by the bank. */
interface Payments {
  /** Shows the bank's dialog, and waits until the subscription has the result. Throws a PaymentError if it was not confirmed. */
  confirm(product: Product, clientSecret: string): Promise<void>
  /**
   * Pays the open invoice of a subscription, with 3-D Secure if the bank requires it.
   * @param cardId the card to pay with; by default the default card
   */
  pay(product: Product, cardId?: string): Promise<void>
}

/** @see Payments */
export function usePayments(): Payments {
  const { client, stripe } = useServices()
  const { organization, subscriptions } = useOrganization()
  const { language } = useLocalization()
  const query = { organization_id: organization.id }

  async function confirm(product: Product, clientSecret: string): Promise<void> {
    try {
      await confirmPayment(await stripe(language), clientSecret)
    } catch (error) {
      // The provider's event of the failure takes a moment: until then the subscription still asks for the confirmation.
      void subscriptions.reload()
      setTimeout(() => void subscriptions.reload(), 1500)
      throw error
    }
    await settle(subscriptions, product)
  }

  async function pay(product: Product, cardId?: string): Promise<void> {
    const body = { payment_method_id: cardId ?? null }
    try {
      const { client: next } = await client.paySubscription({ path: { product: namedProduct(product) }, query, body })
      if (next.action === 'confirm_payment' && next.client_secret !== null) await confirm(product, next.client_secret)
    } finally {
      await subscriptions.reload()
    }
  }

  return { confirm, pay }
}

const EVERY_MS = 700
const PATIENCE_MS = 20_000

/**
 * Reads the subscriptions until this subscription has settled: after 3-D Secure it is active when the payment provider's event has arrived.
 * Gives up after 20 s.
 */
async function settle(subscriptions: Resource<readonly Subscription[]>, product: Product): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    await subscriptions.reload()
    const found = subscriptions.value()?.find((subscription) => subscription.product === product)
    const waits = found?.action === 'wait' || found?.action === 'confirm_payment'
    if (!waits || Date.now() >= until) return
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
