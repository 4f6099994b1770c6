import { IntegrationError } from './intentSecret.ts'
import { createStripeObject } from './stripeObject.ts'

// The script of a page: it defines `Stripe`, whose requests and frames are those of the origin that the script came from.

const self = document.currentScript
const source =
  self instanceof HTMLScriptElement ? self.src : document.querySelector<HTMLScriptElement>('script[src*="/v3/"]')?.src
const { origin } = new URL(source ?? location.href, location.href)

/** `Stripe(publishableKey)`. Throws an IntegrationError on a key that is none, or that is secret. */
function Stripe(publishableKey: unknown) {
  if (typeof publishableKey !== 'string' || publishableKey === '') {
    throw new IntegrationError('Please call Stripe() with your publishable key. You used an empty string.')
  }
  if (/^(sk|rk)_/.test(publishableKey)) {
    throw new IntegrationError(
      'You should not use your secret key with Stripe.js. Please pass a publishable key instead.',
    )
  }
  return createStripeObject(origin, publishableKey)
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: 'endive' }) })
