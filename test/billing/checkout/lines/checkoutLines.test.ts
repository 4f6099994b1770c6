import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { contract } from '../../../../functions/billing-checkout/contract.ts'
import type { CheckoutAnswer } from '../../../support/billingStack.ts'
import { billingState, bought } from '../../billingState.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { lineRefusals, refusedLine } from './lineRefusals.ts'

const bed = useCleanStack()

const everyPlan = ['addon_remote_ssh', 'base_ota', 'addon_crash_reporting', 'addon_monitoring']

/** Fails unless the answer has this status, and exactly the members of its schema in the contract. */
function expectContract(answer: CheckoutAnswer, status: keyof typeof contract.responses): void {
  expect(answer.status).toBe(status)
  expect(contract.responses[status].parse(answer.body)).toEqual(answer.body)
}

describe('POST /api/billing/checkout', () => {
  describe('Given a cart whose first line is refused, and nothing is bought', () => {
    it.each(lineRefusals)('answers $error with $status and exactly the refused line', async (refusal) => {
      const { stack } = bed
      const { organizationId, answer, code = 'base_ota' } = await refusal.arrange(stack)
      expectContract(answer, refusal.status)
      expect(answer.body).toEqual([refusedLine(refusal.error, refusal.detail, code)])
      expect(answer.retryAfter).toBe(refusal.retryAfter ?? null)
      expect(await billingState(stack, organizationId)).toEqual(refusal.state)
    })

    it('takes its status from the first line and no other', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await stack.checkout(organizationId, ['base_ota'])
      const live = await stack.checkout(organizationId, ['base_ota', 'unknown'])
      expect([live.status, live.outcomes]).toEqual([409, ['already_subscribed', 'unknown_plan']])
      const unknown = await stack.checkout(organizationId, ['unknown', 'base_ota'])
      expect([unknown.status, unknown.outcomes]).toEqual([404, ['unknown_plan', 'already_subscribed']])
      expect(await billingState(stack, organizationId)).toEqual(bought)
    })
  })

  describe('Given a cart in which every code is unknown', () => {
    it('answers 404 with a line for each, repeats included, and neither writes nor calls the gateway', async () => {
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
      const end = new Date(periodEnd).toISOString().replace('.000Z', 'Z')
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
            current_period_end: end,
            cancel_at: null,
            coupon_code: null,
            price: { amount: 1500, currency: 'usd', interval: 'month', interval_count: 1 },
            next_charge: { amount: 1500, at: end },
          },
          client: { action: 'none', client_secret: null },
        },
      ])
      expect(answer.retryAfter).toBeNull()
      expect(await billingState(stack, organizationId, 'addon_crash_reporting')).toEqual(bought)
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

    it('buys a code that is listed three times once', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const codes = ['base_ota', 'base_ota', 'addon_monitoring', 'base_ota']
      const answer = await stack.checkout(organizationId, codes)
      expectContract(answer, 201)
      expect(answer.outcomes).toEqual(['bought active', 'already_subscribed', 'bought active', 'already_subscribed'])
      expect(await billingState(stack, organizationId)).toEqual({ ...bought, charges: 2 })
    })

    it('answers already_subscribed to the repeat of a code, also where the code was declined', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
      const answer = await stack.checkout(organizationId, ['base_ota', 'base_ota'])
      expect([answer.status, answer.outcomes]).toEqual([402, ['card_declined', 'already_subscribed']])
      expect(await billingState(stack, organizationId)).toMatchObject({ slot: 'none', charges: 0 })
    })
  })

  describe('Given an organization that has no customer yet', () => {
    it('creates one customer for all lines of its first cart, and neither returns nor stores its id', async () => {
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
