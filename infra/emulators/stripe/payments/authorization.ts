import type { Context } from '../state/context.ts'
import { authenticationRequired, type Decline, testCard } from './cards.ts'

/** The bank's decision about a payment. */
type Authorization = { result: 'approved' } | { result: 'authenticate' } | { result: 'declined'; decline: Decline }

/**
 * The bank's decision. `authenticated`: the buyer has just passed 3-D Secure. An off-session payment that needs authentication is
 * declined with `authentication_required`.
 */
export function authorize(
  context: Context,
  method: string,
  how: { offSession: boolean; authenticated: boolean },
): Authorization {
  const record = context.store.get('cards', method)
  const card = testCard(record?.card ?? 'visa')
  const wantsAuthentication =
    card.authentication === 'always' ||
    (card.authentication === 'on_session' && !how.offSession) ||
    (card.authentication === 'unless_set_up' && !(how.offSession && record?.set_up))
  if (wantsAuthentication && !how.authenticated) {
    return how.offSession ? { result: 'declined', decline: authenticationRequired } : { result: 'authenticate' }
  }
  return card.decline ? { result: 'declined', decline: card.decline } : { result: 'approved' }
}

/** The failed 3-D Secure step of a payment or of a setup. */
export function authenticationFailure(kind: 'payment_intent' | 'setup_intent'): { code: string; message: string } {
  return {
    code: `${kind}_authentication_failure`,
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  }
}

/** `next_action` of an intent that waits for Stripe.js to run 3-D Secure. */
export function authenticationStep(id: string) {
  const url = `https://hooks.stripe.com/3d_secure_2/hosted?intent=${id}`
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: '' } }
}
