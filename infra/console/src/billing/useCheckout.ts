import type { Dispatch } from 'react'
import { useServices } from '../app/services.ts'
import type { CheckoutLine, Preview, PricedProduct } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { useToast } from '../ui/Toasts.tsx'
import { type Action, useAction } from '../ui/useAction.ts'
import { PaymentError } from './cards/paymentError.ts'
import type { CardChoice } from './cards/useCardChoice.ts'
import { type Cart, type CartEvent, codesToBuy } from './cart.ts'
import { usePayments } from './usePayments.ts'

interface CheckoutOptions {
  readonly cart: Cart
  readonly change: Dispatch<CartEvent>
  readonly products: readonly PricedProduct[]
  /** What the buyer is shown: nothing is charged at another price. */
  readonly preview: Preview | undefined
  /** Asks for the prices again, once they have changed. */
  refreshPreview(): void
  /** The card that pays; absent if the organization pays by invoice. */
  readonly choice: CardChoice | undefined
}

/** The errors of a line that was sold when the buyer was shown its price. */
const outdated: readonly string[] = ['price_changed', 'not_for_sale', 'currency_mismatch', 'invoice_overdue']

/**
 * Buys the cart, and confirms the lines that need it with the bank, one after the other. If it failed and you try
 * again, the same request is sent, which the API charges once.
 */
export function useCheckout(options: CheckoutOptions): { readonly action: Action; buy(): Promise<void> } {
  const { cart, change, products, preview, refreshPreview, choice } = options
  const { client } = useServices()
  const { organization, subscriptions, cards } = useOrganization()
  const { confirm } = usePayments()
  const action = useAction()
  const texts = useTexts().orders
  const say = useToast()
  const query = { organization_id: organization.id }

  async function checkOut(): Promise<void> {
    const payment_method_id = (await choice?.cardId()) ?? null
    const shown = preview && { expected_subtotal: preview.subtotal, currency: preview.currency }
    const body = { product_codes: codesToBuy(cart), payment_method_id, coupon_code: cart.coupon ?? null, ...shown }
    const lines = await client.createCheckout({ query, body })
    change({ type: 'answered', lines })
    if (lines.some((line) => !line.ok && outdated.includes(line.error))) refreshPreview()
    if (choice) void cards.reload()
    await subscriptions.reload()
    const bought = lines.filter((line) => line.ok && line.client.action === 'none')
    if (bought.length > 0) say(texts.boughtNames(bought.map(nameOf).join(', ')))
    for (const line of lines) await finish(line)
  }

  /** Shows the bank's dialog if a line needs it. A failure is shown at its line and does not affect the others. */
  async function finish(line: CheckoutLine): Promise<void> {
    if (!line.ok || line.client.action !== 'confirm_payment' || line.client.client_secret === null) return
    try {
      await confirm(line.product, line.client.client_secret)
      change({ type: 'settled', code: line.product_code, answer: { kind: 'bought' } })
      say(texts.boughtNames(nameOf(line)))
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      change({ type: 'settled', code: line.product_code, answer: { kind: 'unconfirmed', error } })
    }
  }

  function nameOf({ product_code }: CheckoutLine): string {
    return products.find(({ plan_code }) => plan_code === product_code)?.name ?? product_code
  }

  async function buy(): Promise<void> {
    await action.run(checkOut)
  }

  return { action, buy }
}
