import type Stripe from 'stripe'
import { nulls } from '../params/words.ts'
import { change, changeSubscription, create } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { type Context, newId } from '../state/context.ts'
import { mintClientSecret } from '../state/ids.ts'
import type { Wire } from '../wire/wire.ts'
import { testCard } from './cards.ts'
import {
  authenticationFailure,
  authenticationStep,
  confirmedMethod,
  type IntentTerms,
  unexpectedState,
} from './intents.ts'
import { attach, cardError, markSetUp } from './paymentMethods.ts'
import type { Decline } from './testCards.ts'

/** A SetupIntent in its unexpanded wire form. */
export type SetupIntent = Wire<Stripe.SetupIntent>

/** Opens a SetupIntent and emits `setup_intent.created`. */
export function openSetup(context: Context, terms: IntentTerms & { usage: string }): SetupIntent {
  const id = newId(context, 'setup_intents')
  const intent: SetupIntent = {
    id,
    object: 'setup_intent',
    ...nulls(
      'application cancellation_reason customer_account excluded_payment_method_types flow_directions',
      'last_setup_error latest_attempt managed_payments mandate next_action on_behalf_of',
      'payment_method_configuration_details single_use_mandate',
    ),
    allowed_payment_method_types: terms.allowed,
    automatic_payment_methods: terms.automatic,
    client_secret: mintClientSecret(context.random, id),
    created: context.now,
    customer: terms.customer,
    description: terms.description,
    livemode: false,
    metadata: terms.metadata,
    payment_method: terms.method,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: terms.allowed ?? ['card'],
    status: terms.method === null ? 'requires_payment_method' : 'requires_confirmation',
    usage: terms.usage,
  }
  return create(context, 'setup_intents', intent, 'setup_intent.created')
}

/** Marks a SetupIntent as succeeded: attaches the card to the customer, marks it for off-session use and emits the event. */
function completeSetup(context: Context, intent: SetupIntent, method: string): SetupIntent {
  if (intent.customer !== null && context.store.get('customers', intent.customer))
    attach(context, method, intent.customer)
  if (intent.usage === 'off_session') markSetUp(context, method)
  const patch = { status: 'succeeded' as const, payment_method: method, next_action: null, last_setup_error: null }
  const done = change(context, 'setup_intents', intent, patch, 'setup_intent.succeeded')
  for (const subscription of context.store.all('subscriptions')) {
    if (subscription.pending_setup_intent === intent.id) {
      changeSubscription(context, subscription, { pending_setup_intent: null })
    }
  }
  return done
}

function failSetup(
  context: Context,
  intent: SetupIntent,
  method: string,
  failure: Omit<Decline, 'decline_code'>,
): SetupIntent {
  const row = context.store.get('payment_methods', method)
  const last_setup_error = { type: 'card_error' as const, ...failure, ...(row && { payment_method: row }) }
  const patch = {
    status: 'requires_payment_method' as const,
    payment_method: null,
    next_action: null,
    last_setup_error,
  }
  return change(context, 'setup_intents', intent, patch, 'setup_intent.setup_failed')
}

/** Confirms with a card: succeeds, waits for 3-D Secure, or fails with 402 (kept as `last_setup_error`). */
export function confirmSetup(context: Context, intent: SetupIntent, id: string): SetupIntent {
  const method = confirmedMethod(context, intent, id)
  const card = testCard(context.store.get('cards', method.id)?.card ?? 'visa')
  const { decline, declinesAttach, setupNeedsAuthentication } = card
  if (setupNeedsAuthentication) {
    const patch = {
      status: 'requires_action' as const,
      payment_method: method.id,
      next_action: authenticationStep(intent.id),
      last_setup_error: null,
    }
    return change(context, 'setup_intents', intent, patch, 'setup_intent.requires_action')
  }
  if (declinesAttach && decline) {
    const setup_intent = failSetup(context, intent, method.id, decline)
    throw cardError(decline, { setup_intent, payment_method: method }, true)
  }
  return completeSetup(context, intent, method.id)
}

/** Finishes a pending 3-D Secure step as the buyer would. 400 when no step is pending. */
export function authenticateSetup(context: Context, id: string, outcome: 'succeed' | 'fail'): SetupIntent {
  const intent = requireRow(context, 'setup_intents', id)
  if (intent.status !== 'requires_action' || intent.payment_method === null)
    throw unexpectedState(intent, 'authenticate')
  if (outcome === 'fail') return failSetup(context, intent, intent.payment_method, authenticationFailure(intent))
  return completeSetup(context, intent, intent.payment_method)
}
