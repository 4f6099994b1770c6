import { expect } from '@jest/globals'
import type { contract } from '../../../functions/billing-checkout/contract.ts'
import type { BillingStack, CheckoutAnswer } from '../../support/billingStack.ts'
import { type BillingState, bought, neverClaimed, nothingBought } from '../billingState.ts'

/** A row of the contract's table of line errors. */
export interface LineRefusal {
  error: string
  status: keyof typeof contract.responses
  detail: string
  retryAfter?: string
  /** Gets this refusal, for `base_ota` where no code is returned. */
  arrange: (stack: BillingStack) => Promise<{ organizationId: string; answer: CheckoutAnswer; code?: string }>
  /** Of `base_ota`, after the refusal. */
  state: BillingState
}

/** Every line error of the contract, as the refusal of a cart of one line. */
export const lineRefusals: LineRefusal[] = [
  {
    error: 'unknown_plan',
    status: 404,
    detail: 'No product is sold under this code',
    state: neverClaimed,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      return { organizationId, answer: await stack.checkout(organizationId, ['base_otb']), code: 'base_otb' }
    },
  },
  {
    error: 'already_subscribed',
    status: 409,
    detail: 'The organization is already subscribed to this product',
    state: bought,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      expect((await stack.checkout(organizationId, ['base_ota'])).status).toBe(201)
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota'], { as: 'billing_admin' }) }
    },
  },
  {
    error: 'checkout_in_progress',
    status: 409,
    detail: 'Another request is buying this product right now',
    retryAfter: '5',
    state: bought,
    async arrange(stack) {
      const { organizationId, answer: first } = await stack.organizationWithPendingPurchase(700)
      const answer = await stack.checkout(organizationId, ['base_ota'], { as: 'billing_admin' })
      expect((await first).outcomes).toEqual(['bought active'])
      return { organizationId, answer }
    },
  },
  {
    error: 'coupon_already_redeemed',
    status: 409,
    detail: 'This coupon has already been redeemed',
    state: neverClaimed,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      const { code } = await stack.newCoupon()
      const first = await stack.checkout((await stack.organizationWithCard()).organizationId, ['base_ota'], {
        coupon: code,
      })
      expect(first.status).toBe(201)
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota'], { coupon: code }) }
    },
  },
  {
    error: 'coupon_invalid',
    status: 400,
    detail: 'This coupon is unknown, or cannot be used here',
    state: neverClaimed,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota'], { coupon: 'NOSUCHCODE' }) }
    },
  },
  {
    error: 'payment_method_required',
    status: 402,
    detail: 'No card was given and the organization has none on file',
    state: neverClaimed,
    async arrange(stack) {
      const organizationId = await stack.client.newOrganization()
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota']) }
    },
  },
  {
    error: 'payment_method_invalid',
    status: 402,
    detail: 'This is not a card of the organization',
    state: nothingBought,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      const { card } = await stack.organizationWithCard()
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota'], { card }) }
    },
  },
  {
    error: 'card_declined',
    status: 402,
    detail: 'The bank declined the card',
    state: { slot: 'none', subscriptions: ['incomplete_expired'], charges: 0 },
    async arrange(stack) {
      const { organizationId, card } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
      // The event of the cancellation frees the slot as well: as `canceled`, where it is projected before the purchase settles.
      await stack.emulator.webhooks('hold')
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota'], { card }) }
    },
  },
  {
    error: 'gateway_refused',
    status: 502,
    detail: 'The payment gateway refused the purchase',
    state: nothingBought,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'status', status: 400 })
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota']) }
    },
  },
  {
    error: 'gateway_unavailable',
    status: 503,
    detail: 'The outcome is not known yet; the request is safe to send again',
    retryAfter: '5',
    state: { slot: 'pending', subscriptions: [], charges: 0 },
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'status', status: 503, times: 2 })
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota']) }
    },
  },
]
