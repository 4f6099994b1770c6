import { describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { classifyError } from '../../../lib/adapters/stripe/classifyError.ts'

type Facts = { status: number; type?: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error' } & {
  code?: string
  decline_code?: string
  param?: string
  message?: string
  replayed?: boolean
}

function stripeError({ status, type = 'invalid_request_error', replayed, ...rest }: Facts) {
  const headers = replayed ? { 'idempotent-replayed': 'true' } : {}
  return Stripe.errors.StripeError.generate({ type, message: 'x', statusCode: status, headers, ...rest })
}

const first = { sentBefore: false }
const later = { sentBefore: true }

describe('classifyError', () => {
  describe('Given an error that the execution of the request produced', () => {
    it.each([
      [
        'a declined card',
        { status: 402, type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' },
        'card_declined',
      ],
      [
        'a foreign card',
        { status: 400, code: 'resource_missing', param: 'default_payment_method' },
        'payment_method_invalid',
      ],
      [
        'a foreign card for an invoice',
        { status: 404, code: 'resource_missing', param: 'payment_method' },
        'payment_method_invalid',
      ],
      ['an id that is no card', { status: 400, code: 'payment_method_unsupported_type' }, 'payment_method_invalid'],
      ['no card on file', { status: 400, code: 'resource_missing' }, 'payment_method_required'],
      [
        'no card on file, without a code',
        { status: 400, message: 'This customer has no attached payment source or default payment method.' },
        'payment_method_required',
      ],
      ['a price that is inactive', { status: 400, param: 'items[0][price]' }, 'price_unavailable'],
      [
        'a second currency of a customer',
        {
          status: 400,
          message:
            'You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, ' +
            'discount, quote, invoice item or active subscription mode checkout session with currency usd.',
        },
        'currency_mismatch',
      ],
      [
        'a price that a customer’s currency does not have',
        {
          status: 400,
          param: 'subscription_details[items][0][price]',
          message: "The price specified only supports `eur`. This doesn't match the expected currency: `usd`.",
        },
        'currency_mismatch',
      ],
      [
        'a price that is gone',
        { status: 400, code: 'resource_missing', param: 'items[0][price]' },
        'price_unavailable',
      ],
      ['an unknown coupon', { status: 400, code: 'resource_missing', param: 'discounts[0][coupon]' }, 'coupon_invalid'],
      ['an expired coupon', { status: 400, code: 'coupon_expired' }, 'coupon_expired'],
      ['a coupon with conditions', { status: 400, param: 'discounts[0][promotion_code]' }, 'coupon_not_applicable'],
      ['a customer that is gone', { status: 400, code: 'resource_missing', param: 'customer' }, 'customer_missing'],
      ['a subscription that is gone', { status: 404, code: 'resource_missing', param: 'id' }, 'not_found'],
      ['a subscription that has ended', { status: 400, code: 'invalid_canceled_subscription_fields' }, 'not_found'],
      ['a payment that was refunded', { status: 400, code: 'charge_already_refunded' }, 'already_done'],
      ['anything else that is definite', { status: 400, code: 'parameter_unknown', param: 'foo' }, 'other'],
      ['a key without permission', { status: 403 }, 'other'],
      ['a wrong key', { status: 401 }, 'other'],
    ] as const)('returns a refusal for %s', (_, facts, reason) => {
      expect(classifyError(stripeError(facts), first)).toMatchObject({ kind: 'refused', reason })
    })

    it('returns the bank’s decline code with the refusal', () => {
      const cardError = stripeError({
        status: 402,
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'expired_card',
      })
      expect(classifyError(cardError, first)).toEqual({
        kind: 'refused',
        reason: 'card_declined',
        declineCode: 'expired_card',
      })
    })

    it('returns a refusal for a declined card and a replayed error also when the key was sent before', () => {
      expect(classifyError(stripeError({ status: 402, type: 'card_error' }), later).kind).toBe('refused')
      expect(classifyError(stripeError({ status: 400, replayed: true }), later).kind).toBe('refused')
    })
  })

  describe('Given an error that says nothing of what an earlier sending did', () => {
    it.each([400, 401, 403, 404])('returns an unknown outcome for an unsaved %i', (status) => {
      expect(classifyError(stripeError({ status }), later)).toEqual({ kind: 'unknown', saved: false })
    })
  })

  describe('Given an error that does not show the outcome', () => {
    it.each([
      ['a connection that broke', new Stripe.errors.StripeConnectionError({ type: 'api_error', message: 'reset' })],
      ['a key in use', stripeError({ status: 409, code: 'idempotency_key_in_use' })],
      ['a rate limit', stripeError({ status: 429, code: 'rate_limit' })],
      ['a key used with other parameters', stripeError({ status: 400, type: 'idempotency_error' })],
      ['a gateway that is unavailable', stripeError({ status: 503, type: 'api_error' })],
      ['an answer that is no subscription', new TypeError('unexpected')],
    ])('returns an unknown outcome for %s', (_, error) => {
      expect(classifyError(error, first)).toEqual({ kind: 'unknown', saved: false })
    })

    it('marks a failure that the gateway saved under the key, which a retry can only repeat', () => {
      expect(classifyError(stripeError({ status: 500, type: 'api_error' }), first)).toEqual({
        kind: 'unknown',
        saved: true,
      })
      expect(classifyError(stripeError({ status: 503, type: 'api_error', replayed: true }), first)).toEqual({
        kind: 'unknown',
        saved: true,
      })
    })

    it('does not take a 500 for a saved one where the attempt before it was answered with a 500 as well', () => {
      const second = { ...first, failedBefore: true }
      const failure = stripeError({ status: 500, type: 'api_error' })
      expect(classifyError(failure, second)).toEqual({ kind: 'unknown', saved: false })
    })
  })
})
