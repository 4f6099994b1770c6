import { mergeMetadata, type ParsedBy } from '../params/params.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, resourceMissing } from '../wire/errors.ts'
import type { createParams } from './paymentIntentParams.ts'
import { openIntent, type PaymentIntent } from './paymentIntents.ts'
import { obtainMethod } from './paymentMethods.ts'

/** The least that can be charged, in minor units: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. */
const minimum = new Map([
  ['usd', 50],
  ['eur', 50],
  ['gbp', 30],
])

/** Opens an unconfirmed PaymentIntent without an invoice. */
export function createIntent(context: Context, sent: ParsedBy<typeof createParams>): PaymentIntent {
  const currency = sent.currency.toLowerCase()
  if (sent.customer !== undefined && context.store.get('customers', sent.customer) === undefined)
    throw resourceMissing('customer', sent.customer, 'customer')
  if (sent.amount < (minimum.get(currency) ?? 1)) {
    const message = `Amount must be at least ${(minimum.get(currency) ?? 1) / 100} ${currency}`
    throw invalidRequest(message, 'amount_too_small', 'amount')
  }
  if (sent.allowed_payment_method_types && sent.automatic_payment_methods) {
    const message =
      'You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.'
    throw invalidRequest(message, 'parameters_exclusive')
  }
  if (sent.off_session !== undefined && !sent.confirm) {
    throw invalidRequest('off_session can only be used with confirm=true.', undefined, 'off_session')
  }
  const automatic = sent.automatic_payment_methods
  return openIntent(context, {
    invoice: null,
    amount: sent.amount,
    currency,
    customer: sent.customer ?? null,
    method: sent.payment_method === undefined ? null : obtainMethod(context, sent.payment_method, 'payment_method').id,
    description: sent.description ?? null,
    setup_future_usage: sent.setup_future_usage ?? null,
    metadata: mergeMetadata({}, sent.metadata),
    allowed: sent.allowed_payment_method_types ?? null,
    automatic: automatic
      ? { enabled: automatic.enabled, allow_redirects: automatic.allow_redirects ?? 'always' }
      : null,
    receipt_email: sent.receipt_email ?? null,
  })
}
