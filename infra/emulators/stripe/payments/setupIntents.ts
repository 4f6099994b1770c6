import type Stripe from 'stripe'
import { change, create } from '../resources/events.ts'
import { type Context, newId } from '../state/context.ts'
import { mintClientSecret } from '../state/ids.ts'
import { invalidRequest, resourceMissing, StripeFault } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { authenticationFailure, authenticationStep } from './authorization.ts'
import { type Decline, testCard } from './cards.ts'
import { attach, cardError, markSetUp, obtainMethod } from './paymentMethods.ts'

/** A SetupIntent in its unexpanded wire form. */
export type SetupIntent = Wire<Stripe.SetupIntent>

/** What a new SetupIntent is for. */
interface SetupTerms {
  customer: string | null
  allowed: string[] | null
  automatic: { enabled: boolean; allow_redirects?: 'always' | 'never' } | null
  description: string | null
  metadata: Record<string, string>
  method: string | null
  usage: string
}

/** Opens a SetupIntent and emits `setup_intent.created`. */
export function openSetup(context: Context, terms: SetupTerms): SetupIntent {
  const id = newId(context, 'setup_intents')
  const intent: SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: terms.allowed,
    application: null,
    automatic_payment_methods: terms.automatic,
    cancellation_reason: null,
    client_secret: mintClientSecret(context.random, id),
    created: context.now,
    customer: terms.customer,
    customer_account: null,
    description: terms.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: terms.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: terms.method,
    payment_method_configuration_details: null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: terms.allowed ?? ['card'],
    single_use_mandate: null,
    status: terms.method === null ? 'requires_payment_method' : 'requires_confirmation',
    usage: terms.usage,
  }
  return create(context, 'setup_intents', intent, 'setup_intent.created')
}

/** The SetupIntent of the path, or 404. */
export function requireSetup(context: Context, id: string): SetupIntent {
  const intent = context.store.get('setup_intents', id)
  if (intent === undefined) throw resourceMissing('setupintent', id, 'id')
  return intent
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
      change(context, 'subscriptions', subscription, { pending_setup_intent: null }, 'customer.subscription.updated')
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
  const method = obtainMethod(context, id, 'payment_method')
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalidRequest(
      'The provided PaymentMethod belongs to a different Customer.',
      'payment_method_unexpected_state',
      'payment_method',
    )
  }
  const { decline, declinesAttach, setupNeedsAuthentication } = testCard(
    context.store.get('cards', method.id)?.card ?? 'visa',
  )
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
    throw cardError(
      decline,
      { setup_intent: failSetup(context, intent, method.id, decline), payment_method: method },
      true,
    )
  }
  return completeSetup(context, intent, method.id)
}

/** 400 `setup_intent_unexpected_state`. */
export function unexpectedState(intent: SetupIntent, verb: string): StripeFault {
  const message = `You cannot ${verb} this SetupIntent because it has a status of ${intent.status}.`
  const error = {
    type: 'invalid_request_error' as const,
    code: 'setup_intent_unexpected_state',
    message,
    setup_intent: intent,
  }
  return new StripeFault(400, error)
}

/** Finishes a pending 3-D Secure step as the buyer would. 400 when no step is pending. */
export function authenticateSetup(context: Context, id: string, outcome: 'succeed' | 'fail'): SetupIntent {
  const intent = requireSetup(context, id)
  if (intent.status !== 'requires_action' || intent.payment_method === null)
    throw unexpectedState(intent, 'authenticate')
  if (outcome === 'fail')
    return failSetup(context, intent, intent.payment_method, authenticationFailure('setup_intent'))
  return completeSetup(context, intent, intent.payment_method)
}
