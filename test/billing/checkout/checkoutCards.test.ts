import { describe, expect, it } from '@jest/globals'
import { billingState, neverClaimed, nothingBought } from '../billingState.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { refusedLine } from './lines/lineRefusals.ts'

const bed = useCleanStack()

const create = { method: 'POST', path: '/v1/subscriptions', kind: 'status' } as const

/** The card of an organization's one payment. Fails where there is none or more than one. */
async function paidWith(organizationId: string): Promise<unknown> {
  const { stack } = bed
  const customers = (await stack.subscriptions(organizationId)).map(({ customer }) => customer)
  const { data } = await stack.stripe.paymentIntents.list({ limit: 100 })
  const paid = data.filter(({ status, customer }) => status === 'succeeded' && customers.includes(customer ?? ''))
  expect(paid).toHaveLength(1)
  return paid[0]?.payment_method
}

describe('POST /api/billing/checkout', () => {
  describe('Given no payment_method_id', () => {
    it('pays with the default card, which is the first one set up', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      await stack.addCard(organizationId, 'pm_card_mastercard')
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      expect(await paidWith(organizationId)).toBe(card)
    })

    it('answers payment_method_required for a customer without a card', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      expect((await stack.post('/api/billing/card-gateway/setup-intent', organizationId)).status).toBe(200)
      const answer = await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'])
      expect([answer.status, answer.outcomes]).toEqual([402, ['payment_method_required', 'payment_method_required']])
      expect(await billingState(stack, organizationId)).toEqual(nothingBought)
      expect(await billingState(stack, organizationId, 'addon_monitoring')).toEqual(nothingBought)

      await stack.addCard(organizationId, 'pm_card_visa')
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
    })

    // [bug 14]
    it('answers it for an organization without a customer as well, and asks the gateway for its prices alone', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      const token = await stack.token()
      await stack.emulator.clearRequests()
      const answer = await stack.checkoutWith(token, organizationId, ['base_ota', 'addon_monitoring'])
      expect([answer.status, answer.outcomes]).toEqual([402, ['payment_method_required', 'payment_method_required']])
      expect((await stack.emulator.requests()).filter(({ path }) => path !== '/v1/prices')).toEqual([])
      expect(await billingState(stack, organizationId)).toEqual(neverClaimed)
    })

    it('creates no customer for a coupon that cannot cover the price', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      const { code } = await stack.newCoupon({ percent_off: 99 })
      await stack.emulator.clearRequests()
      const answer = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect(answer.outcomes).toEqual(['payment_method_required'])
      expect((await stack.emulator.requests()).filter(({ method }) => method === 'POST')).toEqual([])
      expect(await billingState(stack, organizationId)).toEqual(neverClaimed)
    })
  })

  describe('Given a payment_method_id', () => {
    it('pays with that card and renews with it, and does not change the customer’s default card', async () => {
      const { stack } = bed
      const { organizationId, card: first } = await stack.organizationWithCard()
      const card = await stack.addCard(organizationId, 'pm_card_mastercard')
      const answer = await stack.checkout(organizationId, ['base_ota'], { card })
      expect(answer.outcomes).toEqual(['bought active'])
      expect(await paidWith(organizationId)).toBe(card)
      const [subscription] = await stack.subscriptions(organizationId)
      expect(subscription?.default_payment_method).toBe(card)
      const customer = await stack.stripe.customers.retrieve(String(subscription?.customer))
      expect(customer).toMatchObject({ invoice_settings: { default_payment_method: first } })
    })
  })

  describe('Given a card that the bank declines', () => {
    it('answers card_declined, leaves no payable invoice at the gateway, and sells to the next good card', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
      const answer = await stack.checkout(organizationId, ['base_ota'])
      expect([answer.status, answer.outcomes]).toEqual([402, ['card_declined']])
      const [declined] = await stack.subscriptions(organizationId)
      const invoice = await stack.stripe.invoices.retrieve(String(declined?.latest_invoice))
      expect([declined?.status, invoice.status, invoice.amount_paid]).toEqual(['incomplete_expired', 'void', 0])
      const entitlement = (await stack.entitlements(organizationId)).find(({ product }) => product === 'ota')
      expect(entitlement).toMatchObject({ active: false, valid_until: null })

      const card = await stack.addCard(organizationId, 'pm_card_visa')
      expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
      expect(await billingState(stack, organizationId)).toEqual({
        slot: 'active',
        subscriptions: ['active', 'incomplete_expired'],
        charges: 1,
      })
      expect((await stack.slot(organizationId))?.n).toBe(2)
    })

    it.each([
      ['insufficient_funds', 'card_declined', 'The card has insufficient funds'],
      ['expired_card', 'expired_card', 'The card has expired'],
      ['incorrect_cvc', 'incorrect_cvc', 'The card’s security code is incorrect'],
      ['processing_error', 'processing_error', 'The bank could not process the card; try again later'],
      ['card_velocity_exceeded', 'card_declined', 'The card has exceeded its limit'],
      ['generic_decline', 'card_declined', 'The bank declined the card'],
      ['lost_card', 'card_declined', 'The bank declined the card'],
      ['stolen_card', 'card_declined', 'The bank declined the card'],
      ['fraudulent', 'card_declined', 'The bank declined the card'],
      ['a_code_of_next_year', 'card_declined', 'The bank declined the card'],
    ])(
      'answers card_declined to %s with a detail that does not reveal a lost or stolen card',
      async (decline_code, code, detail) => {
        const { stack } = bed
        const { organizationId } = await stack.organizationWithCard()
        const error = { type: 'card_error', code, decline_code, message: 'Card 4000000000000002 of cus_1 is stolen.' }
        await stack.emulator.fault({ ...create, status: 402, saved: true, body: { error } })
        const answer = await stack.checkout(organizationId, ['base_ota'])
        expect(answer.status).toBe(402)
        expect(answer.body).toEqual([refusedLine('card_declined', detail)])
        expect(await billingState(stack, organizationId)).toEqual(nothingBought)
      },
    )

    it.each([
      'pm_card_visa_chargeDeclined',
      'pm_card_visa_chargeDeclinedInsufficientFunds',
      'pm_card_chargeDeclinedExpiredCard',
    ])('answers payment_method_invalid to %s, which the bank does not let a customer save', async (testCard) => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      await expect(stack.addCard(organizationId, testCard)).rejects.toThrow(/declined|insufficient|expired/)
      const answer = await stack.checkout(organizationId, ['base_ota'], { card: testCard })
      expect([answer.status, answer.outcomes]).toEqual([402, ['payment_method_invalid']])
      expect(await billingState(stack, organizationId)).toEqual(nothingBought)
    })
  })
})
