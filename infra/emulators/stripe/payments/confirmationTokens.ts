import type Stripe from 'stripe'
import * as p from '../params/params.ts'
import { nulls } from '../params/words.ts'
import { addressParam, wireAddress } from '../resources/addresses.ts'
import type { Context } from '../state/context.ts'
import { mintId } from '../state/ids.ts'
import { exclusiveParams, invalidRequest, resourceMissing } from '../wire/errors.ts'
import { type Route, route, stripeJsRoute } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { obtainMethod } from './paymentMethods.ts'

type Token = Wire<Stripe.ConfirmationToken>

/** Seconds in which a token can be used: https://docs.stripe.com/api/confirmation_tokens/object. */
const usableSeconds = 12 * 3600

const shape = {
  payment_method: p.text(),
  return_url: p.text().optional(),
  setup_future_usage: p.word(['off_session', 'on_session']).optional(),
  shipping: p.nested({ address: addressParam, name: p.text(), phone: p.text().optional() }).optional(),
}
type TestParams = NonNullable<Parameters<Stripe['testHelpers']['confirmationTokens']['create']>[0]>
const testParams = p.paramsFor<TestParams>()(shape, ['payment_method_data', 'payment_method_options'])

type Sent = p.ParsedBy<typeof testParams>

function shippingOf({ shipping }: Sent): Token['shipping'] {
  if (shipping === undefined) return null
  const { name, phone = null } = shipping
  const none = nulls('city country line1 line2 postal_code state')
  return { name, phone, address: wireAddress(shipping.address) ?? none }
}

/** Keeps what a buyer has typed for the server, which confirms with it. */
function createToken(context: Context, sent: Sent): Token {
  const method = obtainMethod(context, sent.payment_method, 'payment_method')
  const { id: _id, object: _object, created: _created, livemode: _live, metadata: _metadata, ...preview } = method
  const { customer_account = null } = preview
  const taken = (id: string) => context.store.get('confirmation_tokens', id) !== undefined
  const token: Token = {
    id: mintId(context.random, 'ctoken', taken),
    object: 'confirmation_token',
    created: context.now,
    expires_at: context.now + usableSeconds,
    livemode: false,
    metadata: null,
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: { ...preview, customer_account },
    return_url: sent.return_url ?? null,
    setup_future_usage: sent.setup_future_usage ?? null,
    setup_intent: null,
    shipping: shippingOf(sent),
    use_stripe_sdk: true,
  }
  context.store.put('confirmation_tokens', { id: token.id, method: method.id, token })
  return token
}

function requireToken({ store }: Pick<Context, 'store'>, id: string, param: string) {
  const found = store.get('confirmation_tokens', id)
  if (found === undefined) throw resourceMissing('confirmation_token', id, param)
  return found
}

/**
 * Uses a token for an intent, once: returns its payment method and what else it says of the payment. Throws a 400 if it is used or expired,
 * or if a payment method is named as well.
 */
export function useToken(
  context: Context,
  id: string,
  intent: { id: string; object: 'payment_intent' | 'setup_intent' },
  named: string | undefined,
): Pick<Token, 'setup_future_usage' | 'shipping'> & { method: string } {
  if (named !== undefined) throw exclusiveParams('confirmation_token', 'payment_method')
  const { method, token } = requireToken(context, id, 'confirmation_token')
  if (token.payment_intent !== null || token.setup_intent !== null)
    throw invalidRequest(`The confirmation token ${id} has already been used.`, undefined, 'confirmation_token')
  if ((token.expires_at ?? 0) <= context.now)
    throw invalidRequest(`The confirmation token ${id} has expired.`, undefined, 'confirmation_token')
  context.store.put('confirmation_tokens', { id, method, token: { ...token, [intent.object]: intent.id } })
  return { method, setup_future_usage: token.setup_future_usage, shipping: token.shipping }
}

/** Endpoints of https://docs.stripe.com/api/confirmation_tokens, and that by which Stripe.js makes a token. */
export const confirmationTokenRoutes: readonly Route[] = [
  route(
    'GET',
    '/v1/confirmation_tokens/:id',
    p.noParams,
    (context, _sent, id) => requireToken(context, id, 'id').token,
  ),
  route('POST', '/v1/test_helpers/confirmation_tokens', testParams, createToken),
  stripeJsRoute('any', '/v1/confirmation_tokens', p.paramsFor<Sent>()(shape), createToken),
]
