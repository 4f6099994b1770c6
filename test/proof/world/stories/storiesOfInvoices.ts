import type Stripe from 'stripe'
import { acknowledgeWebhooks } from '../faults/faultRun.ts'
import { sweeping } from '../healers.ts'
import type { World } from '../world.ts'
import { buying, canceling, customerOf, failing, mustBuy, reconciling, sending } from './storiesGround.ts'
import type { StoryPlan } from './story.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** By when a draft was sent. */
const SENT = 2 * HOUR
/** By when what was sent has not been paid in time. */
const OVERDUE = 31 * DAY

/** Buys, and lets so much time pass, whose events have arrived. */
async function boughtFor(world: World, milliseconds: number): Promise<void> {
  await mustBuy(world, buying({ couponCode: 'half' }))
  await acknowledgeWebhooks(world)
  await world.pass(milliseconds)
  await acknowledgeWebhooks(world)
}

/** Does something to the organization's open invoice that was sent first, as its payer or a person in the Dashboard does. */
async function settleOldest(
  world: World,
  settle: (invoices: Stripe.InvoiceResource, id: string) => Promise<unknown>,
): Promise<void> {
  const oldest = await oldestOpen(world)
  if (oldest === undefined) throw new Error('No invoice is open')
  await settle(world.stripe.sdk.invoices, oldest)
}

/** Pays on the page of the organization's open invoice that was sent first. */
export async function payOnPage(world: World): Promise<void> {
  const { id } = await world.stripe.sdk.paymentMethods.attach('pm_card_visa', { customer: customerOf(world) })
  await settleOldest(world, (invoices, invoice) => invoices.pay(invoice, { payment_method: id }))
}

/** The same where an invoice is open. */
export async function payIfOpen(world: World): Promise<void> {
  if ((await oldestOpen(world)) !== undefined) await payOnPage(world)
}

async function oldestOpen(world: World): Promise<string | undefined> {
  const { data } = await world.stripe.sdk.invoices.list({ customer: customerOf(world), status: 'open' })
  return data.at(-1)?.id
}

/** A story of an organization that is sent invoices. */
function byInvoice(name: string, prepare: StoryPlan['prepare']): StoryPlan {
  return { name: `${name} by invoice`, gateway: 'invoice', prepare }
}

/** A story of a purchase after an end that came of an invoice which was not paid in time. */
function checkoutAfterEnd(name: string, happens: (world: World) => Promise<unknown>): StoryPlan {
  return byInvoice(`checkout after an end that was ${name}`, async (world) => {
    await boughtFor(world, OVERDUE)
    await world.pass(OVERDUE)
    await happens(world)
    await acknowledgeWebhooks(world)
    return buying({})
  })
}

/** A story of the events of something that happens to an invoice, so long after it was bought. */
function eventsOf(name: string, after: number, happens: (world: World) => Promise<unknown>): StoryPlan {
  return byInvoice(`webhooks of an invoice that was ${name}`, async (world) => {
    await boughtFor(world, after)
    await happens(world)
    return 'webhooks'
  })
}

/** A story of the daily pass after the events of something that happened to an invoice were lost. */
function lostEventsOf(name: string, after: number, happens: (world: World) => Promise<unknown>): StoryPlan {
  return byInvoice(`reconciliation of an invoice that was ${name}`, async (world) => {
    await boughtFor(world, after)
    await happens(world)
    loseEvents(world)
    return reconciling
  })
}

/** Refuses what is owed until the gateway gives it up. */
function loseEvents({ stripe: { core } }: World): void {
  for (let owed = core.pendingWebhooks(true); owed.length > 0; owed = core.pendingWebhooks(true)) {
    for (const { delivery } of owed) core.recordWebhookAttempt(delivery, 503)
  }
}

/** What only a purchase that was sent an invoice for comes to. */
export const storiesOfInvoices: readonly StoryPlan[] = [
  byInvoice('checkout without billing details', async (world) => {
    await world.stripe.sdk.customers.update(customerOf(world), { address: '' })
    return buying({})
  }),
  checkoutAfterEnd('not paid', async () => {}),
  checkoutAfterEnd('paid late', async (world) => {
    while ((await oldestOpen(world)) !== undefined) await payOnPage(world)
  }),
  eventsOf('sent', 0, (world) => world.pass(SENT)),
  eventsOf('overdue', SENT, (world) => world.pass(OVERDUE)),
  eventsOf('paid', SENT, payOnPage),
  eventsOf('paid outside the gateway after it was overdue', OVERDUE, (world) =>
    settleOldest(world, (invoices, id) => invoices.pay(id, { paid_out_of_band: true })),
  ),
  eventsOf('voided', OVERDUE, (world) => settleOldest(world, (invoices, id) => invoices.voidInvoice(id))),
  eventsOf('written off', OVERDUE, (world) => settleOldest(world, (invoices, id) => invoices.markUncollectible(id))),
  eventsOf('never paid', OVERDUE, (world) => world.pass(OVERDUE)),
  lostEventsOf('sent', 0, (world) => world.pass(SENT)),
  lostEventsOf('paid', SENT, payOnPage),
  byInvoice('cancel of an overdue subscription', async (world) => {
    await boughtFor(world, OVERDUE)
    return canceling(false)
  }),
  {
    name: 'sweep of a purchase whose invoice was sent meanwhile by invoice',
    gateway: 'invoice',
    owing: true,
    async prepare(world) {
      await failing(world, buying({ couponCode: 'half' }), [sending('crash after')])
      await world.pass(SENT)
      return sweeping
    },
  },
]
