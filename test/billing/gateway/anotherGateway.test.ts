import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { planCodes } from '../../../lib/billing/catalog.ts'
import { sweep } from '../../../lib/billing/checkout/sweep.ts'
import { createSetupIntent } from '../../../lib/billing/customer/setupIntent.ts'
import { redeemerDigest } from '../../../lib/billing/slot/redeemer.ts'
import { cancel } from '../../../lib/billing/subscriptions/cancel.ts'
import { readEntitlements } from '../../../lib/billing/subscriptions/readEntitlements.ts'
import { MINUTE } from '../../../lib/billing/timing.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { caller, organizationId, userId } from '../fixtures.ts'
import { cardOrganization, openTwoGateways, type TwoGateways } from './organizationsOfTwo.ts'

const four = Object.values(planCodes)
const coupon = { couponCode: 'half' }
const own = { organizationId, caller }
const ota = { ...own, product: 'ota' as const, atPeriodEnd: false }
const PERIOD = 31 * 24 * 60 * MINUTE

let two: TwoGateways
beforeEach(async () => {
  two = await openTwoGateways()
})
afterEach(() => two.close())

const sweepNow = () => two.deps.clock.now() + MINUTE
const isActive = async () => (await readEntitlements(two.deps, own)).map(({ active }) => active)
const soldByInvoice = (n?: number) => two.soldByInvoice(n)

describe('Given an organization that another gateway than Stripe serves, one without cards', () => {
  it('it buys one product and then three more, and is entitled to each', async () => {
    expect(await two.buy(['base_ota'])).toEqual(['bought active'])
    expect(await isActive()).toEqual([true, false, false, false])
    expect(await two.buy(four)).toEqual(['already_subscribed', 'bought active', 'bought active', 'bought active'])
    expect(await isActive()).toEqual([true, true, true, true])
    expect(await soldByInvoice()).toBe(1)
  })

  it('a coupon is redeemed once by a user, and given back by a purchase that is refused', async () => {
    const limited = { couponCode: 'only_monitoring' }
    expect(await two.buy(['base_ota', 'addon_monitoring'], limited)).toEqual(['coupon_not_applicable', 'bought active'])
    expect(await two.buy(['base_ota', 'addon_remote_ssh'], coupon)).toEqual([
      'bought active',
      'coupon_already_redeemed',
    ])
    const secondOwner = userIdSchema.parse('7d1c2b3a-4e5f-4a6b-9c8d-1e2f3a4b5c6d')
    await two.records.setMembership(organizationId, secondOwner, 'owner')
    const withdrawn = { ...coupon, caller: { userId: secondOwner, securityRev: 0 } }
    const { gateway } = two.invoice
    const frozen = gateway.purchases.createSubscription
    gateway.purchases.createSubscription = (...args) => {
      two.invoice.withdrawCoupon('half')
      return frozen(...args)
    }
    expect(await two.buy(['addon_remote_ssh'], withdrawn)).toEqual(['coupon_invalid'])
    expect(two.records.save().redemptions.map(({ redeemer, couponId }) => [redeemer, couponId])).toEqual([
      [redeemerDigest(userId), 'only_monitoring'],
      [redeemerDigest(userId), 'half'],
    ])
  })

  it('a purchase that is sent again is not made again', async () => {
    const answers = await Promise.all([two.buy(['base_ota']), two.buy(['base_ota']), two.buy(['base_ota'])])
    expect(answers.flat().toSorted()).toEqual(['bought active', 'checkout_in_progress', 'checkout_in_progress'])
    expect(await two.buy(['base_ota'])).toEqual(['already_subscribed'])
    expect(await soldByInvoice()).toBe(1)
  })

  describe('and a purchase whose answer was lost', () => {
    beforeEach(async () => {
      // Its customer is there already: the sale is the next call that changes something.
      await two.buy(['addon_monitoring'])
      two.invoice.faultNext('answer lost')
      expect(await two.buy(['base_ota'])).toEqual(['gateway_unavailable'])
    })

    it('it is pending at that gateway, and the same request carries it on', async () => {
      expect(await two.slot()).toMatchObject({ state: 'pending', gateway: 'invoice', claim: { gateway: 'invoice' } })
      expect(await two.buy(['base_ota'])).toEqual(['bought active'])
      expect(await two.slot()).toMatchObject({ state: 'active', gateway: 'invoice', n: 1 })
      expect(await soldByInvoice()).toBe(1)
    })

    it('a request with a coupon looks it up, and does not send it', async () => {
      expect(await two.buy(['base_ota'], coupon)).toEqual(['already_subscribed'])
      expect(await soldByInvoice()).toBe(1)
    })

    it('the sweeper looks it up and settles it', async () => {
      two.invoice.pass(2 * MINUTE)
      expect(await sweep(two.deps, sweepNow())).toMatchObject({ swept: 1, resolved: 1 })
      expect(await two.slot()).toMatchObject({ state: 'active', gateway: 'invoice' })
    })

    it('its event settles it', async () => {
      expect(await two.receiveLatest()).toBe(true)
      expect(await two.slot()).toMatchObject({ state: 'active', gateway: 'invoice' })
      expect(await isActive()).toEqual([true, true, false, false])
    })

    it('cancel looks it up, and cancels it', async () => {
      expect(await cancel(two.deps, ota)).toMatchObject({ status: 'canceled' })
      expect(await two.slot()).toMatchObject({ state: 'canceled', gateway: 'invoice' })
    })
  })

  it('the sweeper frees the slot of a purchase that never arrived, after a quarter of an hour and not before', async () => {
    const { purchases } = two.invoice.gateway
    const create = purchases.createSubscription
    purchases.createSubscription = async () => ({ kind: 'unknown', saved: false })
    await two.buy(['base_ota'])
    purchases.createSubscription = create
    two.invoice.pass(7 * MINUTE)
    expect(await sweep(two.deps, sweepNow())).toMatchObject({ swept: 1, resolved: 0 })
    two.invoice.pass(10 * MINUTE)
    expect(await sweep(two.deps, sweepNow())).toMatchObject({ swept: 1, resolved: 1 })
    expect(await two.slot()).toMatchObject({ state: 'none' })
    expect(await two.buy(['base_ota'])).toEqual(['bought active'])
    expect(await soldByInvoice(2)).toBe(1)
  })

  it('it cancels at the period’s end, again with the same answer, and at once; a lost answer is found out', async () => {
    await two.buy(['base_ota'])
    const { subscription } = await two.slot()
    const scheduled = { status: 'cancellation_scheduled', effectiveAt: subscription?.currentPeriodEnd }
    expect(await cancel(two.deps, { ...ota, atPeriodEnd: true })).toEqual(scheduled)
    expect(await cancel(two.deps, { ...ota, atPeriodEnd: true })).toEqual(scheduled)
    two.invoice.faultNext('answer lost')
    await expect(cancel(two.deps, ota)).rejects.toMatchObject({ code: 'gateway_unavailable' })
    expect(await two.slot()).toMatchObject({ state: 'active' })
    const endedAt = two.clock.now() / 1000
    expect(await cancel(two.deps, ota)).toEqual({ status: 'canceled', effectiveAt: endedAt })
    expect(await isActive()).toEqual([false, false, false, false])
  })

  it('the gateway’s events are projected: paid, ended by itself, and its customer gone', async () => {
    await two.buy(['base_ota'])
    const { subscription } = await two.slot()
    two.invoice.payDue(subscription?.id ?? '')
    expect(await two.receiveLatest()).toBe(true)
    expect(await isActive()).toEqual([true, false, false, false])
    await two.invoice.gateway.purchases.cancelAtPeriodEnd(subscription?.id ?? '', userId)
    two.invoice.pass(PERIOD)
    expect(await two.receiveLatest()).toBe(true)
    expect(await two.slot()).toMatchObject({ state: 'canceled', gateway: 'invoice' })
    const customerId = (await two.records.readAccount(organizationId))?.customer?.cipher.split('|')[1] ?? ''
    two.invoice.deleteCustomer(customerId)
    expect(await two.receiveLatest()).toBe(true)
    expect(await two.records.readAccount(organizationId)).toMatchObject({ customerRev: 1, gateway: 'invoice' })
    expect(await two.buy(['base_ota'])).toEqual(['bought active'])
  })

  it('a line with a card is refused, and a card cannot be set up; nothing is written or created', async () => {
    const before = two.records.save()
    const refused = ['payment_method_invalid', 'payment_method_invalid']
    expect(await two.buy(['base_ota', 'addon_monitoring'], { paymentMethodId: 'pm_1' })).toEqual(refused)
    await expect(createSetupIntent(two.deps, own)).rejects.toMatchObject({ code: 'card_not_accepted' })
    expect(two.records.save()).toEqual(before)
  })

  it('an organization of the gateway `card` is served beside it, and neither touches the other’s', async () => {
    await two.buy(['base_ota'])
    const card = { organizationId: cardOrganization }
    expect(await two.buy(['base_ota'], card)).toEqual(['payment_method_required'])
    expect(await createSetupIntent(two.deps, { ...own, ...card })).toMatch(/./)
    const customerId = (await two.records.readAccount(cardOrganization))?.customer?.cipher.split('|')[1] ?? ''
    const paymentMethodId = await two.card.addCard?.(customerId, 'pays')
    expect(await two.buy(['base_ota'], { ...card, paymentMethodId, ...coupon })).toEqual(['bought active'])
    const [mine, theirs] = [await two.slot(), await two.slot('ota', cardOrganization)]
    expect([mine.gateway, theirs.gateway]).toEqual(['invoice', 'card'])
    expect(await two.invoice.gateway.purchases.fetchSubscription(theirs.subscription?.id ?? '')).toMatchObject({
      kind: 'refused',
    })
    await cancel(two.deps, ota)
    expect(await two.slot('ota', cardOrganization)).toEqual(theirs)
  })
})
