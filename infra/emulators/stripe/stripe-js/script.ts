import { IntegrationError } from './intentSecret.ts'
import { createStripeObject } from './stripeObject.ts'

// The script of a page. It defines `Stripe`, which sends its requests to the origin of the script and loads its frames from there.

const self = document.currentScript
const source =
  self instanceof HTMLScriptElement ? self.src : document.querySelector<HTMLScriptElement>('script[src*="/v3/"]')?.src
const { origin } = new URL(source ?? location.href, location.href)

/** `Stripe(publishableKey)`. Throws an IntegrationError if the key is malformed or secret. */
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
