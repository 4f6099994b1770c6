import { expect } from '@jest/globals'
import type { contract } from '../../../../functions/billing-checkout/contract.ts'
import type { BillingStack, CheckoutAnswer, CheckoutOptions } from '../../../support/billingStack.ts'
import { type BillingState, bought, neverClaimed, nothingBought } from '../../billingState.ts'

/** How a line is answered that is not bought. */
export const refusedLine = (error: string, detail: string, product_code = 'base_ota') => ({
  ok: false,
  product_code,
  error,
  detail,
})

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

/** Buys `base_ota` for a new organization with a card, with the options that `prepare` returns. */
function buying(
  prepare: (stack: BillingStack, organizationId: string) => Promise<CheckoutOptions>,
): LineRefusal['arrange'] {
  return async (stack) => {
    const { organizationId } = await stack.organizationWithCard()
    const options = await prepare(stack, organizationId)
    return { organizationId, answer: await stack.checkout(organizationId, ['base_ota'], options) }
  }
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
    arrange: buying(async (stack, organizationId) => {
      expect((await stack.checkout(organizationId, ['base_ota'])).status).toBe(201)
      return { as: 'billing_admin' }
    }),
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
    arrange: buying(async (stack) => {
      const { organizationId } = await stack.organizationWithCard()
      const { code: coupon } = await stack.newCoupon()
      expect((await stack.checkout(organizationId, ['base_ota'], { coupon })).status).toBe(201)
      return { coupon }
    }),
  },
  {
    error: 'coupon_invalid',
    status: 400,
    detail: 'This coupon is unknown, or cannot be used here',
    state: neverClaimed,
    arrange: buying(async () => ({ coupon: 'NOSUCHCODE' })),
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
    arrange: buying(async (stack) => ({ card: (await stack.organizationWithCard()).card })),
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
    arrange: buying(async (stack) => {
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'status', status: 400 })
      return {}
    }),
  },
  {
    error: 'gateway_unavailable',
    status: 503,
    detail: 'The outcome is not known yet; the request is safe to send again',
    retryAfter: '5',
    state: { slot: 'pending', subscriptions: [], charges: 0 },
    arrange: buying(async (stack) => {
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'status', status: 503, times: 2 })
      return {}
    }),
  },
]
