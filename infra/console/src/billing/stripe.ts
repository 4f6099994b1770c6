import type { Stripe, StripeCardElement, StripeConstructor } from '@stripe/stripe-js'
import { PaymentError } from './paymentError.ts'

declare global {
  interface Window {
    Stripe?: StripeConstructor
  }
}

/** Resolves with Stripe.js. Rejects with a PaymentError where it cannot be loaded; the next call tries again. */
export type StripeLoader = () => Promise<Stripe>

/** Loads Stripe.js from where the configuration says, when it is first needed. */
export function stripeLoader(options: { readonly scriptUrl: string; readonly publishableKey: string }): StripeLoader {
  let loading: Promise<Stripe> | undefined
  return () => {
    loading ??= loadScript(options.scriptUrl).then(() => {
      if (window.Stripe === undefined) throw new PaymentError('The card form could not be loaded.')
      return window.Stripe(options.publishableKey)
    })
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
}

function loadScript(url: string): Promise<void> {
  if (window.Stripe !== undefined) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(new PaymentError('The card form could not be loaded. Check your connection and try again.'))
    })
    document.head.append(script)
  })
}

/**
 * Sets up the card in a card field, 3-D Secure included.
 * @returns the id of the payment method
 * @throws PaymentError with what the customer can do about it
 */
export async function setUpCard(stripe: Stripe, clientSecret: string, card: StripeCardElement): Promise<string> {
  const { setupIntent, error } = await stripe.confirmCardSetup(clientSecret, { payment_method: { card } })
  if (error) throw new PaymentError(error.message ?? 'The card could not be set up.')
  const { payment_method } = setupIntent
  const id = typeof payment_method === 'string' ? payment_method : payment_method?.id
  if (id === undefined) throw new PaymentError('The card could not be set up.')
  return id
}

/**
 * Shows the bank's dialog for a payment that waits for it (3-D Secure).
 * @throws PaymentError where the customer or the bank did not confirm
 */
export async function confirmPayment(stripe: Stripe, clientSecret: string): Promise<void> {
  const { error } = await stripe.handleNextAction({ clientSecret })
  if (error) throw new PaymentError(error.message ?? 'The payment was not confirmed.')
}
