import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { contract } from '../../functions/billing-checkout/contract.ts'
import { type BillingStack, type CheckoutAnswer, useBillingStack } from '../support/billingStack.ts'
import { cleanAfterEach } from './cleanAfterEach.ts'
import { moneyState, nothingBought } from './moneyState.ts'

const bed = useBillingStack()
cleanAfterEach(bed)

const everyPlan = ['addon_remote_ssh', 'base_ota', 'addon_crash_reporting', 'addon_monitoring']

/** Every answer of checkout follows the contract's schema, which then finds nothing to drop. */
function expectContract(answer: CheckoutAnswer, status: keyof typeof contract.responses): void {
  expect(answer.status).toBe(status)
  expect(contract.responses[status].parse(answer.body)).toEqual(answer.body)
}

interface Refusal {
  error: string
  status: keyof typeof contract.responses
  detail: string
  retryAfter?: string
  /** Brings the refusal about for `base_ota`; answers the organization too. */
  arrange: (stack: BillingStack) => Promise<{ organizationId: string; answer: CheckoutAnswer; code?: string }>
  state: object
}

const active = { slot: 'active', subscriptions: ['active'], charges: 1 }
const neverTouched = { slot: 'absent', subscriptions: [], charges: 0 }

const refusals: Refusal[] = [
  {
    error: 'unknown_plan',
    status: 404,
    detail: 'No product is sold under this code',
    state: neverTouched,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      return { organizationId, answer: await stack.checkout(organizationId, ['base_otb']), code: 'base_otb' }
    },
  },
  {
    error: 'already_subscribed',
    status: 409,
    detail: 'The organization is already subscribed to this product',
    state: active,
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
    state: active,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      // Else the webhook settles the purchase long before its own answer is there.
      await stack.emulator.webhooks('hold')
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'delay', delay_ms: 700 })
      const first = stack.checkout(organizationId, ['base_ota'])
      await stack.until(async () => (await stack.slot(organizationId))?.state === 'pending')
      const answer = await stack.checkout(organizationId, ['base_ota'], { as: 'billing_admin' })
      expect((await first).outcomes).toEqual(['bought active'])
      return { organizationId, answer }
    },
  },
  {
    error: 'coupon_already_redeemed',
    status: 409,
    detail: 'This coupon has already been redeemed',
    state: neverTouched,
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
    detail: 'This coupon is unknown, expired, used up, or not for this product',
    state: neverTouched,
    async arrange(stack) {
      const { organizationId } = await stack.organizationWithCard()
      return { organizationId, answer: await stack.checkout(organizationId, ['base_ota'], { coupon: 'NOSUCHCODE' }) }
    },
  },
  {
    error: 'payment_method_required',
    status: 402,
    detail: 'No card was given and the organization has none on file',
    state: nothingBought,
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

describe('POST /api/billing/checkout', () => {
  describe('Given a first line that is refused, and nothing bought', () => {
    it.each(refusals)('answers $error with $status and exactly the refused line', async (refusal) => {
      const { stack } = bed
      const { organizationId, answer, code = 'base_ota' } = await refusal.arrange(stack)
      expectContract(answer, refusal.status)
      expect(answer.body).toEqual([{ ok: false, product_code: code, error: refusal.error, detail: refusal.detail }])
      expect(answer.retryAfter).toBe(refusal.retryAfter ?? null)
      expect(await moneyState(stack, organizationId)).toEqual(refusal.state)
    })

    it('takes the status from the first line and no other', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await stack.checkout(organizationId, ['base_ota'])
      const live = await stack.checkout(organizationId, ['base_ota', 'unknown'])
      expect([live.status, live.outcomes]).toEqual([409, ['already_subscribed', 'unknown_plan']])
      const unknown = await stack.checkout(organizationId, ['unknown', 'base_ota'])
      expect([unknown.status, unknown.outcomes]).toEqual([404, ['unknown_plan', 'already_subscribed']])
      expect(await moneyState(stack, organizationId)).toEqual(active)
    })
  })

  describe('Given a cart in which every code is unknown', () => {
    it('answers 404 with a line for each, repeats included, and asks neither the gateway nor for a write', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const token = await stack.token()
      stack.dynamoDb.reset()
      await stack.emulator.clearRequests()
      const codes = ['gold', 'BASE_OTA', 'gold', 'ota', '__proto__', 'toString']
      const answer = await stack.checkoutWith(token, organizationId, codes, { coupon: 'WELCOME25' })
      expectContract(answer, 404)
      expect(answer.lines.map(({ product_code, error }) => [product_code, error])).toEqual(
        codes.map((code) => [code, 'unknown_plan']),
      )
      expect(stack.writes()).toEqual([])
      expect(await stack.emulator.requests()).toEqual([])
    })
  })

  describe('Given a line that can be bought', () => {
    it('answers exactly the bought line', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const answer = await stack.checkout(organizationId, ['addon_crash_reporting'])
      const [subscription] = await stack.subscriptions(organizationId)
      const periodEnd = (subscription?.items.data[0]?.current_period_end ?? 0) * 1000
      expectContract(answer, 201)
      expect(answer.body).toEqual([
        {
          ok: true,
          product_code: 'addon_crash_reporting',
          product: 'crash_reporting',
          subscription: {
            product: 'crash_reporting',
            plan_code: 'addon_crash_reporting',
            status: 'active',
            current_period_end: new Date(periodEnd).toISOString().replace('.000Z', 'Z'),
            cancel_at: null,
            coupon_code: null,
          },
          client: { action: 'none', client_secret: null },
        },
      ])
      expect(answer.retryAfter).toBeNull()
      expect(await moneyState(stack, organizationId, 'addon_crash_reporting')).toEqual(active)
    })

    it('answers 201 whatever the other lines are, in the order requested', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await stack.checkout(organizationId, ['addon_monitoring'])
      const codes = ['gold', ...everyPlan, 'silver']
      const answer = await stack.checkout(organizationId, codes)
      expectContract(answer, 201)
      expect(answer.lines.map(({ product_code }) => product_code)).toEqual(codes)
      expect(answer.outcomes).toEqual([
        'unknown_plan',
        'bought active',
        'bought active',
        'bought active',
        'already_subscribed',
        'unknown_plan',
      ])
      expect(await stack.charges(organizationId)).toBe(4)
    })

    it('buys a code that is there three times once', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const codes = ['base_ota', 'base_ota', 'addon_monitoring', 'base_ota']
      const answer = await stack.checkout(organizationId, codes)
      expectContract(answer, 201)
      expect(answer.outcomes).toEqual(['bought active', 'already_subscribed', 'bought active', 'already_subscribed'])
      expect(await moneyState(stack, organizationId)).toEqual({ ...active, charges: 2 })
    })

    it('refuses the repeat of a code that was declined as well', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
      const answer = await stack.checkout(organizationId, ['base_ota', 'base_ota'])
      expect([answer.status, answer.outcomes]).toEqual([402, ['card_declined', 'already_subscribed']])
      expect(await moneyState(stack, organizationId)).toMatchObject({ slot: 'none', charges: 0 })
    })
  })

  describe('Given an organization that nobody has bought for', () => {
    it('creates one customer for all the lines of its first cart, and names it nowhere', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      const first = await stack.checkout(organizationId, everyPlan, { card: `pm_${randomUUID().slice(0, 8)}` })
      expect([first.status, new Set(first.outcomes)]).toEqual([402, new Set(['payment_method_invalid'])])
      const { data: customers } = await stack.stripe.customers.list({ limit: 100 })
      const ours = customers.filter(({ metadata }) => metadata.organization_id === organizationId)
      expect(ours).toHaveLength(1)
      expect(JSON.stringify(first.body)).not.toContain('cus_')
      expect(JSON.stringify(await stack.items())).not.toContain(ours[0]?.id)
    })
  })
})
