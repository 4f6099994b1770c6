import type { Stripe, StripeCardElement, StripeConstructor } from '@stripe/stripe-js'
import type { Language } from '../../texts/language.ts'
import { PaymentError } from './paymentError.ts'

declare global {
  interface Window {
    Stripe?: StripeConstructor
  }
}

/** Resolves with Stripe.js in a language. Rejects with a PaymentError if it cannot be loaded; the next call tries again. */
export type StripeLoader = (language: Language) => Promise<Stripe>

/** Loads Stripe.js from the configured address, when it is first needed. */
export function stripeLoader(options: { readonly scriptUrl: string; readonly publishableKey: string }): StripeLoader {
  const loading: Partial<Record<Language, Promise<Stripe>>> = {}
  async function load(language: Language): Promise<Stripe> {
    await loadScript(options.scriptUrl)
    if (window.Stripe === undefined) throw new PaymentError('form_failed')
    return window.Stripe(options.publishableKey, { locale: language })
  }
  return (language) => {
    const stripe = loading[language] ?? load(language)
    loading[language] = stripe
    stripe.catch(() => {
      delete loading[language]
    })
    return stripe
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
      reject(new PaymentError('form_offline'))
    })
    document.head.append(script)
  })
}

/**
 * Sets up the card in a card field, 3-D Secure included.
 * @returns the id of the payment method
 * @throws PaymentError with advice for the customer
 */
export async function setUpCard(stripe: Stripe, clientSecret: string, card: StripeCardElement): Promise<string> {
  const { setupIntent, error } = await stripe.confirmCardSetup(clientSecret, { payment_method: { card } })
  if (error) throw new PaymentError('set_up_failed', error.message)
  const { payment_method } = setupIntent
  const id = typeof payment_method === 'string' ? payment_method : payment_method?.id
  if (id === undefined) throw new PaymentError('set_up_failed')
  return id
}

/**
 * Shows the bank's dialog for a payment that waits for it (3-D Secure).
 * @throws PaymentError if the customer or the bank did not confirm
 */
export async function confirmPayment(stripe: Stripe, clientSecret: string): Promise<void> {
  const { error } = await stripe.handleNextAction({ clientSecret })
  if (error) throw new PaymentError('not_confirmed', error.message)
}
