import Stripe from 'stripe'
import type { GatewayAnswer, RefusalReason } from '../../billing/gateway/gatewayAnswer.ts'

type Failure = Exclude<GatewayAnswer<never>, { kind: 'ok' }>

/** What an error says; nothing if the connection broke. */
interface ErrorFacts {
  status: number | undefined
  type: string | undefined
  code: string | undefined
  param: string | undefined
  message: string
  declineCode: string | undefined
  /** Stored under the idempotency key by an earlier execution. */
  replayed: boolean
}

const UNKNOWN: Failure = { kind: 'unknown', saved: false }

/** The parameters that name a card. */
const cardParams = ['default_payment_method', 'payment_method', 'invoice_settings[default_payment_method]'] as const

/** The reason of an executed refusal: the first row that matches. */
const refusals: readonly { matches: (facts: ErrorFacts) => boolean; reason: RefusalReason }[] = [
  { matches: ({ status }) => status === 402, reason: 'card_declined' },
  { matches: ({ code, param }) => code === 'resource_missing' && param === 'customer', reason: 'customer_missing' },
  { matches: ({ code }) => code === 'customer_tax_location_invalid', reason: 'address_required' },
  { matches: ({ code }) => code === 'email_invalid', reason: 'email_invalid' },
  // Stripe gives neither a code nor, for every text, a parameter.
  {
    matches: ({ message }) => /cannot combine currencies|doesn't match the expected currency/i.test(message),
    reason: 'currency_mismatch',
  },
  {
    matches: ({ param }) => /^(subscription_details\[items\]|items)\[\d+\]\[price\]$/.test(param ?? ''),
    reason: 'price_unavailable',
  },
  {
    matches: ({ code, param }) => isParam(param, ...cardParams) || isCardCode(code),
    reason: 'payment_method_invalid',
  },
  { matches: ({ code }) => code === 'coupon_expired', reason: 'coupon_expired' },
  { matches: (facts) => isAboutCoupon(facts) && facts.code === 'resource_missing', reason: 'coupon_invalid' },
  // It was found a moment ago, and may be redeemed: by another customer, at a higher amount, or with a first purchase.
  { matches: isAboutCoupon, reason: 'coupon_not_applicable' },
  { matches: ({ code }) => code === 'charge_already_refunded', reason: 'already_done' },
  { matches: ({ status }) => status === 404, reason: 'not_found' },
  { matches: ({ code }) => code === 'invalid_canceled_subscription_fields', reason: 'not_found' },
  // Stripe names no parameter if neither the subscription nor the customer has a card to charge.
  { matches: ({ code, param }) => code === 'resource_missing' && !param, reason: 'payment_method_required' },
  {
    matches: ({ code, param, message }) => !code && !param && /no attached payment source/i.test(message),
    reason: 'payment_method_required',
  },
]

/**
 * The table that decides about money: which failures are refusals. Every other failure is unknown.
 * @param options.sentBefore if an earlier attempt with the same idempotency key may have been executed
 * @param options.failedBefore if an earlier attempt of this call got a 500 too: then Stripe does not keep that 500
 *   under the key, otherwise it would have replayed it
 */
export function classifyError(
  error: unknown,
  { sentBefore, failedBefore = false }: { sentBefore: boolean; failedBefore?: boolean },
): Failure {
  const facts = factsOf(error)
  const { status, type } = facts
  if (status === undefined || type === 'idempotency_error') return UNKNOWN
  if (status >= 500) return { kind: 'unknown', saved: facts.replayed || (status === 500 && !failedBefore) }
  if (status === 409 || status === 429) return UNKNOWN
  // Refused before Stripe looked at the key: this says nothing about earlier requests with the key.
  const executed = status === 402 || facts.replayed
  if (!executed && sentBefore) return UNKNOWN
  const reason = refusals.find(({ matches }) => matches(facts))?.reason ?? 'other'
  return { kind: 'refused', reason, ...(facts.declineCode && { declineCode: facts.declineCode }) }
}

function factsOf(error: unknown): ErrorFacts {
  const known = error instanceof Stripe.errors.StripeError ? error : undefined
  return {
    status: known?.statusCode,
    type: known?.rawType,
    code: known?.code,
    param: known?.param,
    message: known?.message ?? '',
    // The SDK gives an empty text if the bank gave no decline code.
    declineCode: known?.decline_code || known?.code,
    replayed: known?.headers?.['idempotent-replayed'] === 'true',
  }
}

/** Whether Stripe blames any of these parameters or a member, such as `discounts[0][coupon]`. */
function isParam(param: string | undefined, ...names: readonly string[]): boolean {
  return names.some((name) => param === name || param?.startsWith(`${name}[`) === true)
}

function isCardCode(code: string | undefined): boolean {
  return code?.startsWith('payment_method_') === true
}

function isAboutCoupon({ code, param }: ErrorFacts): boolean {
  const isNamed = code?.startsWith('coupon_') === true || code?.startsWith('promotion_code_') === true
  return isNamed || isParam(param, 'discounts', 'coupon', 'promotion_code')
}
