import { cancel } from '../../lib/billing/cancel.ts'
import { type CheckoutRequest, checkout } from '../../lib/billing/checkout.ts'
import { customerDigest } from '../../lib/billing/customer.ts'
import { createSetupIntent } from '../../lib/billing/setupIntent.ts'
import { type OrganizationId, organizationIdSchema } from '../../lib/core/ids.ts'
import { organizationId, userId } from '../billing/fixtures.ts'
import { type Gap, gapNames } from './gaps.ts'
import { type Beginning, createWorld, type Operation, type World } from './world.ts'

/** The organization that must not be touched by whatever the other one does. */
export const otherOrganization = organizationIdSchema.parse('9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d')

/** One operation, in the world in which it is tried. */
export interface Story {
  name: string
  beginning: Beginning
  /** Ids of the other organization. */
  others: readonly string[]
  /** What is done, and repeated; the gateway repeats `webhooks` by itself. */
  operation: Operation | 'webhooks'
  /** When it is repeated. Stripe sends a webhook again for three days at most; what is lost after that is the reconciliation's. */
  gaps: readonly Gap[]
  /** What somebody else does where a call is overtaken. */
  meanwhile: Operation
}

/** Buys `base_ota` for the organization, unless told otherwise. */
export const buying = (change: Partial<CheckoutRequest>): Operation => {
  const request = {
    organizationId,
    userId,
    productCodes: ['base_ota'],
    paymentMethodId: undefined,
    couponCode: undefined,
  }
  return (deps) => checkout(deps, { ...request, ...change })
}

/** Every story, each with a world prepared by the real code. */
export async function createStories(): Promise<Story[]> {
  const stories: Story[] = []
  async function tell(
    name: string,
    card: string | undefined,
    of: (world: World, card: string) => Promise<Story['operation']>,
  ) {
    const world = createWorld(1)
    const others = await openOrganization(world, otherOrganization, 'pm_card_visa')
    await mustBuy(world, buying({ organizationId: otherOrganization }))
    const [owned = ''] = card === undefined ? [''] : (await openOrganization(world, organizationId, card)).slice(-1)
    if (card === undefined) await join(world, organizationId)
    const operation = await of(world, owned)
    if (operation !== 'webhooks') await world.deliverWebhooks()
    const subscriptions = world.stripe.core.control.state().subscriptions
    const theirs = subscriptions.filter(({ metadata }) => metadata.organization_id === otherOrganization)
    const meanwhile = operation === 'webhooks' ? buying({}) : operation
    stories.push({
      name,
      beginning: world.begin(),
      others: [...others, ...theirs.map(({ id }) => id)],
      operation,
      meanwhile,
      gaps: operation === 'webhooks' ? gapNames.filter((gap) => gap !== '+30 d') : gapNames,
    })
    world.close()
  }

  await tell('checkout of a returning buyer', 'pm_card_visa', async () => buying({}))
  await tell('checkout of a first buyer', undefined, async () => buying({ couponCode: 'free' }))
  await tell('checkout of a first buyer without a card', undefined, async () => buying({}))
  await tell('checkout with a coupon', 'pm_card_visa', async () => buying({ couponCode: 'half' }))
  await tell('checkout with 3-D Secure', 'pm_card_authenticationRequired', async () => buying({}))
  await tell('checkout with a declined card', 'pm_card_chargeCustomerFail', async () => buying({ couponCode: 'HALF' }))
  await tell('resume with another card', 'pm_card_authenticationRequired', async (world) => {
    await mustBuy(world, buying({ couponCode: 'HALF' }))
    const [customer = ''] = customersOf(world, organizationId)
    const { id } = await world.stripe.sdk.paymentMethods.attach('pm_card_visa', { customer })
    return buying({ couponCode: 'HALF', paymentMethodId: id })
  })
  await tell('cancel now', 'pm_card_visa', async (world) => {
    await mustBuy(world, buying({ couponCode: 'HALF' }))
    return (deps) => cancel(deps, { organizationId, userId, product: 'ota', atPeriodEnd: false })
  })
  await tell('cancel at the end of the period', 'pm_card_visa', async (world) => {
    await mustBuy(world, buying({}))
    return (deps) => cancel(deps, { organizationId, userId, product: 'ota', atPeriodEnd: true })
  })
  await tell('setup intent of a first buyer', undefined, async () => (deps) => {
    return createSetupIntent(deps, { organizationId, userId })
  })
  await tell('webhooks of a purchase that crashed after it was sent', 'pm_card_visa', async (world) => {
    await world.deliverWebhooks()
    const crashing = world.begin()
    const crashed = createWorld(
      2,
      { faults: [{ at: '0/gateway.createSubscription#1', kind: 'crash after' }] },
      crashing,
    )
    await crashed.run(buying({ couponCode: 'half' }))
    world.records.load(crashed.records.save())
    world.stripe.core.restore(crashed.stripe.core.snapshot())
    crashed.close()
    return 'webhooks'
  })
  await tell('webhooks of a subscription that the gateway ended', 'pm_card_visa', async (world) => {
    await mustBuy(world, buying({ couponCode: 'half' }))
    await world.deliverWebhooks()
    await world.pass(60_000)
    const own = world.stripe.core.control
      .state()
      .subscriptions.find((row) => row.metadata.organization_id === organizationId)
    await world.stripe.sdk.subscriptions.cancel(own?.id ?? '')
    return 'webhooks'
  })
  return stories
}

async function mustBuy(world: World, operation: Operation): Promise<void> {
  const ending = await world.run(operation)
  const text = JSON.stringify(ending)
  if (!text.includes('"ok":true')) throw new Error(`Not bought: ${text}`)
}

async function join(world: World, id: OrganizationId): Promise<void> {
  await world.records.createOrganization(id, '2026-11-20T08:00:00Z')
  await world.records.setMembership(id, userId, 'owner')
}

/** An organization with a customer and a default card. Answers its ids, the card last. */
async function openOrganization(world: World, id: OrganizationId, card: string): Promise<string[]> {
  await join(world, id)
  const { sdk } = world.stripe
  const customer = await sdk.customers.create({ metadata: { organization_id: id } }, { idempotencyKey: `cus:${id}:0` })
  const { id: method } = await sdk.paymentMethods.attach(card, { customer: customer.id })
  await sdk.customers.update(customer.id, { invoice_settings: { default_payment_method: method } })
  const account = { organizationId: id, createdAt: '2026-11-20T08:00:00Z', customerRev: 0 }
  await world.records.bindCustomer(account, { cipher: `${id}|${customer.id}`, digest: customerDigest(customer.id) })
  return [id, customer.id, method]
}

function customersOf(world: World, id: OrganizationId): string[] {
  const { customers } = world.stripe.core.control.state()
  return customers.filter(({ metadata }) => metadata.organization_id === id).map((customer) => customer.id)
}
