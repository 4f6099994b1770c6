import { readComment } from '../../../../lib/adapters/stripe/requestedChange.ts'
import type { World } from '../world.ts'
import { buying, customerOf, failing, mustBuy, sending } from './storiesGround.ts'
import { paying } from './storiesOfSelfService.ts'
import type { StoryPlan } from './story.ts'

const HOUR = 3_600_000

/** Has a purchase with the limited coupon declined. Answers a good card of the customer. */
async function goodCardAfterDecline(world: World): Promise<string> {
  await world.run(buying({ couponCode: 'LIMITED' }))
  const { id } = await world.stripe.sdk.paymentMethods.attach('pm_card_visa', { customer: customerOf(world) })
  return id
}

/** The same, with the good card as the default: another request may pay with it. */
async function payableAfterDecline(world: World): Promise<void> {
  const card = await goodCardAfterDecline(world)
  await world.stripe.sdk.customers.update(customerOf(world), { invoice_settings: { default_payment_method: card } })
}

/** Purchases that were paid and ended all the same, but for what a cancellation ended: that says from when on payments go back. */
function endedThoughPaid(world: World): string[] {
  const { subscriptions, invoices } = world.stripe.core.control.state()
  const ended = subscriptions.filter(({ latest_invoice: latest, ended_at, cancellation_details: details }) => {
    const isPaid = invoices.some(({ id, amount_paid }) => id === latest && amount_paid > 0)
    return ended_at !== null && isPaid && readComment(details?.comment)?.refundAfter === undefined
  })
  return ended.map(({ id }) => `${id} was paid and made room for another coupon`)
}

/** Purchases that used a coupon up and ended unpaid, though nobody ended them and their 23 hours were not over. */
function redeemedForNothing(world: World): string[] {
  const { subscriptions, discounts } = world.stripe.core.control.state()
  const wasted = subscriptions.filter(({ id, status, created, ended_at }) => {
    const isDiscounted = discounts.some(({ subscription }) => subscription === id)
    return isDiscounted && status === 'incomplete_expired' && (ended_at ?? created) - created < (23 * HOUR) / 1000
  })
  return wasted.map(({ id }) => `${id} used a coupon up for nothing`)
}

/** Redemptions that the record keeps for what has ended unpaid: each must be given back here, whatever the gateway counts. */
function redeemedHereAlone(world: World): string[] {
  const { subscriptions } = world.stripe.core.control.state()
  const ended = subscriptions.filter(({ status }) => status === 'incomplete_expired').map(({ metadata }) => metadata.n)
  const { redemptions } = world.records.save()
  return redemptions.flatMap(({ couponId, n }) =>
    ended.includes(String(n)) ? [`${couponId} is still redeemed by n=${n}, which has ended unpaid`] : [],
  )
}

/** Purchases of one product: by a first and by a returning buyer, and resumed where an earlier one left off. */
export const storiesOfCheckout: readonly StoryPlan[] = [
  { name: 'checkout of a returning buyer', card: 'pm_card_visa', prepare: async () => buying({}) },
  { name: 'checkout of a first buyer', prepare: async () => buying({ couponCode: 'free' }) },
  { name: 'checkout of a first buyer without a card', prepare: async () => buying({}) },
  { name: 'checkout with a coupon', card: 'pm_card_visa', prepare: async () => buying({ couponCode: 'half' }) },
  { name: 'checkout with 3-D Secure', card: 'pm_card_authenticationRequired', prepare: async () => buying({}) },
  {
    name: 'checkout with a declined card',
    card: 'pm_card_chargeCustomerFail',
    prepare: async () => buying({}),
  },
  {
    name: 'checkout with a limited coupon and a declined card',
    card: 'pm_card_chargeCustomerFail',
    prepare: async () => buying({ couponCode: 'LIMITED' }),
    atRest: (world) => [...redeemedForNothing(world), ...redeemedHereAlone(world)],
  },
  {
    name: 'resume of a declined purchase with its limited coupon',
    card: 'pm_card_chargeCustomerFail',
    prepare: async (world) => buying({ couponCode: 'LIMITED', paymentMethodId: await goodCardAfterDecline(world) }),
    atRest: redeemedForNothing,
  },
  {
    name: 'resume of a declined purchase without its limited coupon',
    card: 'pm_card_chargeCustomerFail',
    prepare: async (world) => buying({ paymentMethodId: await goodCardAfterDecline(world) }),
    atRest: redeemedForNothing,
  },
  {
    name: 'replacement of a declined purchase for another coupon',
    card: 'pm_card_chargeCustomerFail',
    async prepare(world) {
      await payableAfterDecline(world)
      return buying({ couponCode: 'HALF' })
    },
    meanwhile: paying(),
    atRest: (world) => [...redeemedHereAlone(world), ...endedThoughPaid(world)],
  },
  {
    name: 'resume with another card',
    card: 'pm_card_authenticationRequired',
    async prepare(world) {
      await mustBuy(world, buying({ couponCode: 'HALF' }))
      const { id } = await world.stripe.sdk.paymentMethods.attach('pm_card_visa', { customer: customerOf(world) })
      return buying({ couponCode: 'HALF', paymentMethodId: id })
    },
  },
  {
    name: 'takeover within the hour of a purchase that met a saved 500 after it was made',
    card: 'pm_card_visa',
    owing: true,
    async prepare(world) {
      await world.deliverWebhooks()
      await failing(world, buying({ couponCode: 'half' }), [
        { at: '0/gateway.createSubscription#1', kind: 'saved 500 after the effect' },
        { at: '0/gateway.findSubscription#1', kind: 'crash before' },
      ])
      await world.pass(HOUR)
      return buying({ couponCode: 'half' })
    },
  },
  {
    name: 'takeover after a day of a purchase that met a saved 500 and was never made',
    card: 'pm_card_visa',
    async prepare(world) {
      await failing(world, buying({ couponCode: 'half' }), [sending('saved 500')])
      await world.pass(21 * HOUR)
      return buying({ couponCode: 'half' })
    },
  },
]
