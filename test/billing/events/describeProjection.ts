import { describe, expect, it } from '@jest/globals'
import type { BillingStack } from '../../support/billingStack.ts'
import { expectProjected, subscribedOrganization, subscriptionOf } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'

/** Changes something at the gateway while its webhooks are held. Returns the organization. */
type Arrange = (stack: BillingStack) => Promise<string>

/** Moves the clock to `seconds` after the end of the paid period. */
async function toPeriodEnd(stack: BillingStack, organizationId: string, seconds: number): Promise<void> {
  const { items } = await subscriptionOf(stack, organizationId)
  const end = items.data[0]?.current_period_end ?? 0
  await stack.emulator.advance(end - (await stack.emulator.now()) + seconds)
}

type Subscribed = Awaited<ReturnType<typeof subscribedOrganization>>

/** Changes a paid subscription while the webhooks of that are held. */
function unheard(change: (stack: BillingStack, subscribed: Subscribed) => Promise<unknown>): Arrange {
  return async (stack) => {
    const subscribed = await subscribedOrganization(stack)
    await stack.emulator.webhooks('hold')
    await change(stack, subscribed)
    return subscribed.organizationId
  }
}

/** A renewal that the bank refuses. */
async function failRenewal(stack: BillingStack) {
  const { organizationId, subscriptionId } = await subscribedOrganization(stack)
  const failing = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
  await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: failing })
  await toPeriodEnd(stack, organizationId, 2 * 3600)
  const { latest_invoice } = await stack.stripe.subscriptions.retrieve(subscriptionId)
  return { organizationId, invoice: typeof latest_invoice === 'string' ? latest_invoice : '' }
}

/** A purchase whose buyer has still to authenticate. */
async function startAuthentication(stack: BillingStack) {
  const { organizationId, card } = await stack.organizationWithCard('pm_card_authenticationRequired')
  await stack.emulator.webhooks('hold')
  const { lines, outcomes } = await stack.checkout(organizationId, ['base_ota'], { card })
  expect(outcomes).toEqual(['bought incomplete'])
  return { organizationId, payment: lines[0]?.client?.client_secret?.split('_secret_')[0] ?? '' }
}

const changes: readonly { title: string; before: string; after: string; arrange: Arrange }[] = [
  {
    title: 'a purchase whose settling write was lost',
    before: 'pending',
    after: 'active',
    async arrange(stack) {
      const { organizationId, card } = await stack.organizationWithCard()
      await stack.emulator.webhooks('hold')
      stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3 })
      const { outcomes } = await stack.checkout(organizationId, ['base_ota'], { card })
      expect(outcomes).toEqual(['gateway_unavailable'])
      return organizationId
    },
  },
  {
    title: 'a scheduled cancellation',
    before: 'active',
    after: 'active',
    arrange: unheard(async (stack, { organizationId, subscriptionId }) => {
      await stack.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
      expect((await stack.slot(organizationId))?.subscription).toMatchObject({ cancelAt: null })
    }),
  },
  {
    title: 'a scheduled cancellation whose time is reached',
    before: 'active',
    after: 'canceled',
    arrange: unheard(async (stack, { organizationId, subscriptionId }) => {
      await stack.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
      await toPeriodEnd(stack, organizationId, 1)
    }),
  },
  {
    title: 'an immediate cancellation',
    before: 'active',
    after: 'canceled',
    arrange: unheard((stack, { subscriptionId }) => stack.stripe.subscriptions.cancel(subscriptionId)),
  },
  {
    title: 'a renewal',
    before: 'active',
    after: 'active',
    arrange: unheard(async (stack, { organizationId }) => {
      await toPeriodEnd(stack, organizationId, 2 * 3600)
      expect(await stack.charges(organizationId)).toBe(2)
    }),
  },
  {
    title: 'a renewal that failed',
    before: 'active',
    after: 'past_due',
    async arrange(stack) {
      await stack.emulator.webhooks('hold')
      return (await failRenewal(stack)).organizationId
    },
  },
  {
    title: 'a renewal that failed and was paid later',
    before: 'past_due',
    after: 'active',
    async arrange(stack) {
      const { organizationId, invoice } = await failRenewal(stack)
      await stack.emulator.flush()
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      await stack.emulator.webhooks('hold')
      await stack.stripe.invoices.pay(invoice, { payment_method: card })
      return organizationId
    },
  },
  {
    title: 'a purchase that its buyer authenticated',
    before: 'incomplete',
    after: 'active',
    async arrange(stack) {
      const { organizationId, payment } = await startAuthentication(stack)
      await stack.emulator.authenticate(payment, 'succeed')
      return organizationId
    },
  },
  {
    title: 'a purchase that its buyer never authenticated',
    before: 'incomplete',
    after: 'canceled',
    async arrange(stack) {
      const { organizationId } = await startAuthentication(stack)
      await stack.emulator.advance(23 * 3600 + 1)
      expect((await subscriptionOf(stack, organizationId)).status).toBe('incomplete_expired')
      return organizationId
    },
  },
]

/** How events arrive. */
interface Delivery {
  readonly name: string
  readonly order: 'fifo' | 'lifo'
  readonly copies: number
}

/** Changes a subscription in every way, or in those that are named, and delivers the events of each change. */
export function describeProjection(deliveries: readonly Delivery[], titles = changes.map(({ title }) => title)): void {
  const bed = useCleanStack()

  describe.each(deliveries)('POST to the webhook, with events that are delivered $name', ({ order, copies }) => {
    it.each(changes.filter(({ title }) => titles.includes(title)))(
      'records the gateway’s state after $title',
      async ({ before, after, arrange }) => {
        const { stack } = bed
        const organizationId = await arrange(stack)
        expect(await stack.slot(organizationId)).toMatchObject({ state: before })
        const delivered = await stack.emulator.flush(order, copies)
        expect(delivered.length).toBeGreaterThan(0)
        expect(delivered.filter(({ status }) => status !== 200)).toEqual([])
        expect(await stack.slot(organizationId)).toMatchObject({ state: after })
        await expectProjected(stack, organizationId)
        // Otherwise the subscription would be renewed as the other tests advance the clock.
        if (after !== 'canceled') await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
      },
    )
  })
}
