import { afterEach, describe, expect, it } from '@jest/globals'
import { invoicedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { gapNames, gaps } from '../../proof/world/gaps.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { BOTH_ATTEMPTS } from '../../support/emulator.ts'

const bed = useBillingStack()

afterEach(async () => {
  const { emulator } = bed.stack
  await emulator.clearFaults()
  await emulator.webhooks('deliver')
  expect(await emulator.violations()).toEqual([])
})

const ota = { product: 'ota', at_period_end: false }

function count(outcomes: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const outcome of outcomes) counted[outcome] = (counted[outcome] ?? 0) + 1
  return counted
}

/** The status of every invoice of an organization, newest first. */
async function invoices(organizationId: string): Promise<(string | null)[]> {
  const { stripe } = bed.stack
  const [first] = await bed.stack.subscriptions(organizationId)
  if (!first) return []
  const { data } = await stripe.invoices.list({ customer: String(first.customer), limit: 100 })
  return data.map(({ status }) => status)
}

describe('POST /api/billing/checkout of an organization that is sent invoices', () => {
  describe('Given 50 parallel checkouts of one product', () => {
    it('makes one subscription and one invoice, and answers the others checkout_in_progress or already_subscribed', async () => {
      const { stack } = bed
      const organizationId = await invoicedOrganization(stack.client)
      const token = await stack.token()
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => stack.checkoutWith(token, organizationId, ['base_ota'])),
      )
      const outcomes = count(answers.flatMap((answer) => answer.outcomes))
      expect(outcomes['bought active']).toBe(1)
      expect((outcomes.checkout_in_progress ?? 0) + (outcomes.already_subscribed ?? 0)).toBe(49)
      expect(await stack.subscriptions(organizationId)).toMatchObject([{ status: 'active', days_until_due: 30 }])
      expect(await invoices(organizationId)).toEqual(['draft'])
      expect(await stack.charges(organizationId)).toBe(0)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1, gateway: 'invoice' })
    })
  })

  describe('Given 50 parallel checkouts of two organizations of one user with one coupon', () => {
    it('applies it once, and sells nothing to the other at full price', async () => {
      const { stack } = bed
      const { id, code: coupon } = await stack.newCoupon()
      const places = [await invoicedOrganization(stack.client), await invoicedOrganization(stack.client)]
      const token = await stack.token()
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => places).map((pair) =>
          Promise.all(pair.map((place) => stack.checkoutWith(token, place, ['base_ota'], { coupon }))),
        ),
      )
      expect(count(answers.flat().flatMap(({ outcomes }) => outcomes))['bought active']).toBe(1)
      const sold = (await Promise.all(places.map((place) => stack.subscriptions(place)))).flat()
      expect(sold.map(({ discounts }) => discounts.length)).toEqual([1])
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED' }])
    })
  })

  describe('Given purchases, cancellations and webhooks at once', () => {
    it('holds one subscription at most, leaves no slot pending, and records what the gateway has', async () => {
      const { stack } = bed
      const organizationId = await invoicedOrganization(stack.client)
      const token = await stack.token()
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      const rounds = await Promise.all(
        Array.from({ length: 17 }, async () => {
          const [bought, canceled] = await Promise.all([
            stack.checkoutWith(token, organizationId, ['base_ota']),
            stack.cancel(organizationId, ota),
            stack.emulator.flush(),
          ])
          return [...bought.outcomes, String(canceled.status)]
        }),
      )
      const known = ['bought active', 'checkout_in_progress', 'already_subscribed', '200', '409']
      expect(Object.keys(count(rounds.flat())).filter((answer) => !known.includes(answer))).toEqual([])
      await stack.emulator.flush()
      const all = await stack.subscriptions(organizationId)
      const live = all.filter(({ status }) => status !== 'canceled')
      expect(live.length).toBeLessThanOrEqual(1)
      const latest = live[0] ?? all[0]
      expect(await stack.slot(organizationId)).toMatchObject({
        state: latest?.status,
        n: all.length,
        subscription: { id: latest?.id, status: latest?.status },
      })
      // Each was asked for by a request that was answered, and canceled by one: nothing of them is given back.
      expect(await invoices(organizationId)).toEqual(all.map(() => 'draft'))
    })
  })

  describe.each(gapNames)('Given a subscription call whose answer is lost, and the cart sent again at %s', (gap) => {
    it.each(['drop_before', 'drop_after'] as const)('is bought and invoiced once after %s', async (kind) => {
      const { stack } = bed
      const organizationId = await invoicedOrganization(stack.client)
      await stack.emulator.webhooks('hold')
      const { id, code: coupon } = await stack.newCoupon()
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind, times: BOTH_ATTEMPTS })
      const lost = await stack.checkout(organizationId, ['base_ota'], { coupon })
      expect(lost.outcomes).toEqual(['gateway_unavailable'])
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'RESERVED', n: 1 }])

      await stack.emulator.advance(gaps[gap] / 1000)
      const repeated = await stack.checkout(organizationId, ['base_ota'], { coupon })
      expect(repeated.outcomes).toEqual([expect.stringMatching(/^bought (active|past_due)$/)])
      const [sold, ...others] = await stack.subscriptions(organizationId)
      expect(others).toEqual([])
      const first = (await stack.stripe.invoices.list({ subscription: sold?.id ?? '' })).data.filter(
        ({ billing_reason }) => billing_reason === 'subscription_create',
      )
      expect(first).toHaveLength(1)
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED' }])
      expect(await stack.slot(organizationId)).toMatchObject({ state: sold?.status, subscription: { id: sold?.id } })
    })
  })
})
