import type { StripeError } from '@stripe/stripe-js'
import type { Answer, Api, Intent } from './api.ts'
import type { IntentSecret } from './intentSecret.ts'

/** What shows the bank's page for an intent and resolves when it is over. */
type Challenge = (clientSecret: string) => Promise<void>

/** The intent, after its 3-D Secure step if it waits for one. Returns the error when the step did not succeed. */
export async function finishAction(
  api: Api,
  secret: IntentSecret,
  found: Intent,
  challenge: Challenge,
): Promise<Answer<Intent>> {
  if (found.status !== 'requires_action') return { value: found }
  await challenge(secret.clientSecret)
  const after = await api.retrieve(secret)
  if (after.error !== undefined || after.value.status !== 'requires_payment_method') return after
  return { error: lastErrorOf(after.value) }
}

/** Why the last attempt of an intent failed, with the intent itself, as Stripe.js hands it over. */
function lastErrorOf(intent: Intent): StripeError {
  const last = intent.object === 'setup_intent' ? intent.last_setup_error : intent.last_payment_error
  return { type: 'card_error', ...last, [intent.object]: intent }
}

/** Confirms an intent and runs its 3-D Secure step, unless the page does that later. */
export async function confirmIntent(
  api: Api,
  secret: IntentSecret,
  params: object,
  challenge: Challenge | undefined,
): Promise<Answer<Intent>> {
  const confirmed = await api.confirm(secret, { use_stripe_sdk: true, ...params })
  if (confirmed.error !== undefined || challenge === undefined) return confirmed
  return finishAction(api, secret, confirmed.value, challenge)
}
