import { expect } from '@jest/globals'
import type Stripe from 'stripe'
import * as z from 'zod'
import { stripeStatusSchema } from '../../lib/adapters/stripe/readSubscription.ts'
import { toRfc3339 } from '../../lib/core/clock.ts'
import type { BillingStack } from '../support/billingStack.ts'

const accountItem = z.looseObject({
  custRev: z.number(),
  custCipher: z.string().optional(),
  custDigest: z.string().optional(),
})

/** The organization's stored account item. */
export async function storedAccount(stack: BillingStack, organizationId: string) {
  const items = await stack.items()
  return accountItem.parse(items.find(({ pk, sk }) => pk === `ORG#${organizationId}` && sk === 'ACCOUNT'))
}

/** The organization's customers at the gateway that are not deleted. */
export async function customersOf(stack: BillingStack, organizationId: string): Promise<Stripe.Customer[]> {
  const all = await stack.stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1000 })
  return all.filter(({ metadata }) => metadata.organization_id === organizationId)
}

/** The organization's one customer. Throws where there is none or more than one. */
export async function customerOf(stack: BillingStack, organizationId: string): Promise<string> {
  const [customer, ...others] = await customersOf(stack, organizationId)
  if (!customer || others.length > 0) throw new Error(`${others.length + (customer ? 1 : 0)} customers`)
  return customer.id
}

/** The organization's one subscription. Throws where there is none or more than one. */
export async function subscriptionOf(stack: BillingStack, organizationId: string): Promise<Stripe.Subscription> {
  const [subscription, ...others] = await stack.subscriptions(organizationId)
  if (!subscription || others.length > 0) throw new Error(`${others.length + (subscription ? 1 : 0)} subscriptions`)
  return subscription
}

/** The id of the subscription that the slot of `ota` has. Throws where it has none. */
export async function heldSubscription(stack: BillingStack, organizationId: string): Promise<string> {
  const { subscription } = z
    .looseObject({ subscription: z.object({ id: z.string() }) })
    .parse(await stack.slot(organizationId))
  return subscription.id
}

/** A new organization with a first card at the gateway, whose event is held. */
export async function organizationWithUnheardCard(stack: BillingStack) {
  const organizationId = await stack.client.newOrganization()
  await stack.emulator.webhooks('hold')
  const token = await stack.token()
  const card = await stack.client.addCard({ token, organizationId, testCard: 'pm_card_visa' })
  return { organizationId, card }
}

/** A new organization that has bought `base_ota` with this card, with every event delivered. */
export async function subscribedOrganization(stack: BillingStack, testCard = 'pm_card_visa') {
  const { organizationId, card } = await stack.organizationWithCard(testCard)
  const { outcomes } = await stack.checkout(organizationId, ['base_ota'], { card })
  expect(outcomes).toEqual(['bought active'])
  await stack.emulator.flush()
  const { id } = await subscriptionOf(stack, organizationId)
  return { organizationId, card, subscriptionId: id }
}

/** An organization that bought `base_ota`, whose next period was charged, off-session, to a card of this kind. */
export async function renewedOrganization(stack: BillingStack, testCard: string) {
  const { organizationId, subscriptionId } = await subscribedOrganization(stack)
  const card = await stack.addCard(organizationId, testCard)
  await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: card })
  await stack.emulator.flush()
  const { items } = await stack.stripe.subscriptions.retrieve(subscriptionId)
  const end = items.data[0]?.current_period_end ?? 0
  await stack.emulator.advance(end - (await stack.emulator.now()) + 2 * 3600)
  await stack.emulator.flush()
  return { organizationId, subscriptionId }
}

/** Fails unless the slot and the entitlement of `ota` agree with the gateway's latest subscription. */
export async function expectProjected(stack: BillingStack, organizationId: string): Promise<void> {
  const [latest] = await stack.subscriptions(organizationId)
  if (!latest) throw new Error('The gateway has no subscription')
  const { id, cancel_at, ended_at, items } = latest
  const status = stripeStatusSchema.parse(latest.status)
  const currentPeriodEnd = items.data[0]?.current_period_end ?? null
  expect(await stack.slot(organizationId)).toMatchObject({
    state: status,
    subscription: { id, status, currentPeriodEnd, cancelAt: cancel_at, endedAt: ended_at },
  })
  const active = ['trialing', 'active', 'past_due'].includes(status)
  const until = cancel_at ?? currentPeriodEnd
  const [entitlement] = await stack.entitlements(organizationId)
  expect(entitlement).toMatchObject({
    product: 'ota',
    active,
    valid_until: active && until !== null ? toRfc3339(until * 1000) : null,
  })
}

/** What an organization was charged by the latest invoices of its subscriptions, in cents. */
export async function paidAmounts(stack: BillingStack, organizationId: string): Promise<number[]> {
  const ids = (await stack.subscriptions(organizationId)).map(({ latest_invoice }) => String(latest_invoice))
  const invoices = await Promise.all(ids.map((id) => stack.stripe.invoices.retrieve(id)))
  return invoices.flatMap(({ amount_paid }) => (amount_paid > 0 ? [amount_paid] : []))
}
