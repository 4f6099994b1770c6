import { describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { classifyError } from '../../lib/adapters/stripe/classifyError.ts'

type Facts = { status: number; type?: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error' } & {
  code?: string
  decline_code?: string
  param?: string
  replayed?: boolean
}

function stripeError({ status, type = 'invalid_request_error', replayed, ...rest }: Facts) {
  const headers = replayed ? { 'idempotent-replayed': 'true' } : {}
  return Stripe.errors.StripeError.generate({ type, message: 'x', statusCode: status, headers, ...rest })
}

const first = { sentBefore: false }
const later = { sentBefore: true }

describe('The table that decides money', () => {
  describe('Given an error that executing the request produced', () => {
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
      ['a card that is none', { status: 400, code: 'payment_method_unsupported_type' }, 'payment_method_invalid'],
      ['no card on file', { status: 400, code: 'resource_missing' }, 'payment_method_required'],
      ['an unknown coupon', { status: 400, code: 'resource_missing', param: 'discounts[0][coupon]' }, 'coupon_invalid'],
      ['an expired coupon', { status: 400, code: 'coupon_expired' }, 'coupon_invalid'],
      ['a customer that is gone', { status: 400, code: 'resource_missing', param: 'customer' }, 'customer_missing'],
      ['a subscription that is gone', { status: 404, code: 'resource_missing', param: 'id' }, 'not_found'],
      ['a subscription that has ended', { status: 400, code: 'invalid_canceled_subscription_fields' }, 'not_found'],
      ['a payment that was given back', { status: 400, code: 'charge_already_refunded' }, 'already_done'],
      ['anything else that is definite', { status: 400, code: 'parameter_unknown', param: 'foo' }, 'other'],
      ['a key without permission', { status: 403 }, 'other'],
      ['a wrong key', { status: 401 }, 'other'],
    ] as const)('refuses for %s', (_, facts, reason) => {
      expect(classifyError(stripeError(facts), first)).toMatchObject({ kind: 'refused', reason })
    })

    it('keeps the bank’s decline code for the words of the answer', () => {
      const declined = stripeError({
        status: 402,
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'expired_card',
      })
      expect(classifyError(declined, first)).toEqual({
        kind: 'refused',
        reason: 'card_declined',
        declineCode: 'expired_card',
      })
    })

    it('refuses a declined card and a replayed error also when the key was sent before', () => {
      expect(classifyError(stripeError({ status: 402, type: 'card_error' }), later).kind).toBe('refused')
      expect(classifyError(stripeError({ status: 400, replayed: true }), later).kind).toBe('refused')
    })
  })

  describe('Given an error that says nothing of what an earlier sending did', () => {
    it.each([400, 401, 403, 404])('does not refuse for an unsaved %i', (status) => {
      expect(classifyError(stripeError({ status }), later)).toEqual({ kind: 'unknown', saved: false })
    })
  })

  describe('Given an outcome that nobody knows', () => {
    it.each([
      ['a connection that broke', new Stripe.errors.StripeConnectionError({ type: 'api_error', message: 'reset' })],
      ['a key in use', stripeError({ status: 409, code: 'idempotency_key_in_use' })],
      ['a rate limit', stripeError({ status: 429, code: 'rate_limit' })],
      ['a key used with other parameters', stripeError({ status: 400, type: 'idempotency_error' })],
      ['a gateway that is away', stripeError({ status: 503, type: 'api_error' })],
      ['an answer that is no subscription', new TypeError('unexpected')],
    ])('never refuses for %s', (_, error) => {
      expect(classifyError(error, first)).toEqual({ kind: 'unknown', saved: false })
    })

    it('knows that repeating the key of a saved failure can only repeat the failure', () => {
      expect(classifyError(stripeError({ status: 500, type: 'api_error' }), first)).toEqual({
        kind: 'unknown',
        saved: true,
      })
      expect(classifyError(stripeError({ status: 503, type: 'api_error', replayed: true }), first)).toEqual({
        kind: 'unknown',
        saved: true,
      })
    })
  })
})
