import type { RawParams } from '../params/form.ts'
import { words } from '../params/words.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import type { KeyKind } from './apiKey.ts'
import { type ErrorBody, invalidRequest, missingParam, StripeFault, unrecognizedUrl } from './errors.ts'
import type { Route } from './route.ts'
import { isRecord } from './wire.ts'

/** How a key may use an endpoint: `limit` runs the work, and holds it and its answer to what the key allows. */
interface Access {
  /** The parameters that the endpoint itself takes. */
  params: RawParams
  limit(context: Context, id: string, work: () => object): object
}

const intents = {
  setup_intents: { noun: 'SetupIntent', code: 'setup_intent_invalid_parameter' },
  payment_intents: { noun: 'PaymentIntent', code: 'payment_intent_invalid_parameter' },
} as const

/**
 * What a key may do at an endpoint (https://docs.stripe.com/keys): a publishable key needs the client secret of the intent in the path, and a
 * client secret that is sent has to be right with either. Throws the refusal of what the key may not.
 */
export function accessTo(route: Route, key: KeyKind, raw: RawParams): Access {
  if (key === 'secret') requireSecretKeyUse(route, raw)
  else if (route.browsers === undefined) throw secretKeyRequired()
  const shown = key === 'secret' ? (work: () => object) => work() : seen
  const kind = route.browsers
  if (kind === undefined || kind === 'any') return { params: raw, limit: (_context, _id, work) => shown(work) }
  const { client_secret: secret, ...params } = raw
  if (key === 'publishable' && secret === undefined) throw missingParam('client_secret')
  return {
    params,
    limit(context, id, work) {
      if (secret !== undefined) requireClientSecret(context, kind, id, secret)
      if (key === 'publishable' && route.path.endsWith('/confirm')) requireBrowserConfirmation(context, id)
      return shown(work)
    },
  }
}

function requireSecretKeyUse(route: Route, { card }: RawParams): void {
  if (route.onlyStripeJs) throw unrecognizedUrl(route.method, route.path)
  if (isRecord(card) && card.number !== undefined) throw rawCardData()
}

/** The refusal of card numbers that a server sends, unless Stripe allowed its account to. */
function rawCardData(): StripeFault {
  const message =
    'Sending credit card numbers directly to the Stripe API is generally unsafe. To continue processing use Stripe.js, the Stripe mobile ' +
    'bindings, or Stripe Elements. For more information, see https://dashboard.stripe.com/account/integration/settings. If you are ' +
    'qualified to handle card data directly, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.'
  return new StripeFault(402, { type: 'invalid_request_error', message })
}

function secretKeyRequired(): StripeFault {
  const message =
    'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at ' +
    'https://dashboard.stripe.com/account/apikeys.'
  return new StripeFault(403, { type: 'invalid_request_error', code: 'secret_key_required', message })
}

/** Throws unless `secret` is that of the intent: a 404 if the intent does not exist, a 400 if its secret is another. */
function requireClientSecret(context: Context, kind: keyof typeof intents, id: string, secret: unknown): void {
  const { noun, code } = intents[kind]
  if (requireRow(context, kind, id, 'intent', 404).client_secret === secret) return
  const message = `The client_secret provided does not match the client_secret associated with the ${noun}.`
  throw invalidRequest(message, code, 'client_secret')
}

/** Throws a 400 if only a server may confirm a PaymentIntent. */
function requireBrowserConfirmation({ store }: Context, id: string): void {
  if (store.get('payment_intents', id)?.confirmation_method !== 'manual') return
  const message =
    'This PaymentIntent cannot be confirmed using your publishable key because its `confirmation_method` is set to `manual`. Please use ' +
    'your secret key instead, or create a PaymentIntent with `confirmation_method` set to `automatic`.'
  throw invalidRequest(message, 'payment_intent_invalid_parameter', 'confirmation_method')
}

/** The answer of the work, or its refusal, with what a browser may see. */
function seen(work: () => object): object {
  try {
    return publicView(work())
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error
    throw new StripeFault(error.status, publicError(error.body), error)
  }
}

function publicError(body: ErrorBody): ErrorBody {
  return {
    ...body,
    ...(body.payment_intent && { payment_intent: publicView(body.payment_intent) }),
    ...(body.payment_method && { payment_method: publicView(body.payment_method) }),
    ...(body.setup_intent && { setup_intent: publicView(body.setup_intent) }),
  }
}

const ofEveryIntent = words(
  'id object automatic_payment_methods cancellation_reason client_secret created description livemode',
  'next_action payment_method payment_method_configuration_details payment_method_types status',
)

/** The members of an answer to a publishable key, by object. Metadata and the customer are never among them. */
const shown: Record<string, readonly string[]> = {
  setup_intent: [...ofEveryIntent, 'last_setup_error', 'usage'],
  payment_intent: [
    ...ofEveryIntent,
    ...words(
      'amount canceled_at capture_method confirmation_method currency last_payment_error processing',
      'receipt_email setup_future_usage shipping source',
    ),
  ],
  payment_method: words('id object allow_redisplay billing_details card created customer livemode type'),
}

/** An object as an answer to a publishable key shows it (https://docs.stripe.com/metadata, docs.stripe.com/js/payment_intents). */
function publicView(object: object): object {
  const name = 'object' in object ? String(object.object) : ''
  const members = shown[name]
  const entries = Object.entries(object).filter(([member]) => members === undefined || members.includes(member))
  return Object.fromEntries(entries.map(([member, value]) => [member, viewOf(member, value)]))
}

function viewOf(member: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  const { fingerprint: _fingerprint, ...card } = value
  return publicView(member === 'card' ? card : value)
}
