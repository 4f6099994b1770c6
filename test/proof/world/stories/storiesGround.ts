import { checkout } from '../../../../lib/billing/checkout/checkout.ts'
import type { CheckoutRequest } from '../../../../lib/billing/checkout/readCart.ts'
import { customerDigest } from '../../../../lib/billing/customer/customer.ts'
import { reconcile } from '../../../../lib/billing/reconcile/reconcile.ts'
import { cancel } from '../../../../lib/billing/subscriptions/cancel.ts'
import type { Caller } from '../../../../lib/core/identity.ts'
import { type OrganizationId, organizationIdSchema, userIdSchema } from '../../../../lib/core/ids.ts'
import { caller, organizationId, userId } from '../../../billing/fixtures.ts'
import type { Fault, FaultKind } from '../faults/faults.ts'
import { createWorld, type Operation, type World } from '../world.ts'
import type { StoryPlan } from './story.ts'

/** The organization that must not be touched by whatever the other one does. */
export const otherOrganization = organizationIdSchema.parse('9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d')

/** A purchase, and what it asks for. */
export type Buying = Operation & { request: CheckoutRequest }

/** A request for `base_ota`, with the default card and without a coupon. */
export const wanted: CheckoutRequest = {
  organizationId,
  caller,
  productCodes: ['base_ota'],
  paymentMethodId: undefined,
  couponCode: undefined,
}

/** Buys `base_ota` for the organization, or what `change` says. */
export const buying = (change: Partial<CheckoutRequest>): Buying => {
  const request = { ...wanted, ...change }
  const operation: Operation = (deps) => checkout(deps, request)
  return Object.assign(operation, { request })
}

/** Cancels `ota`, now or at the end of its period. */
export const canceling = (atPeriodEnd: boolean): Operation => {
  return (deps) => cancel(deps, { organizationId, caller, product: 'ota', atPeriodEnd })
}

export const reconciling: Operation = (deps) => reconcile(deps, { finishBy: Infinity, begin: true })

export function isBuying(operation: Operation): operation is Buying {
  return 'request' in operation
}

/** Buys in a world in which nothing fails. @throws Error where it did not buy */
export async function mustBuy(world: World, operation: Operation): Promise<void> {
  const text = JSON.stringify(await world.run(operation))
  if (!text.includes('"ok":true')) throw new Error(`Not bought: ${text}`)
}

/** Does it once with these faults, which are not those of the run under test. */
export async function failing(world: World, operation: Operation, faults: readonly Fault[]): Promise<void> {
  const other = createWorld(2, { faults }, world.begin())
  await other.run(operation)
  await world.pass(other.clock.now() - world.clock.now())
  world.records.load(other.records.save())
  world.stripe.core.restore(other.stripe.core.snapshot())
  other.close()
}

/** Prepares a world step by step for what is done then. */
export function after(
  steps: readonly ((world: World) => Promise<unknown>)[],
  deed: Awaited<ReturnType<StoryPlan['prepare']>>,
): StoryPlan['prepare'] {
  return async (world) => {
    for (const step of steps) await step(world)
    return deed
  }
}

/** A fault where the first purchase is sent. */
export const sending = (kind: FaultKind): Fault => ({ at: '0/gateway.createSubscription#1', kind })

/** Buys with a coupon, a minute before what follows. */
export async function boughtBefore(world: World): Promise<void> {
  await mustBuy(world, buying({ couponCode: 'half' }))
  await world.deliverWebhooks()
  await world.pass(60_000)
}

/** Ends the organization's subscription at the gateway. */
export async function endAtGateway(world: World): Promise<void> {
  await world.stripe.sdk.subscriptions.cancel(subscriptionOf(world))
}

/** A second owner of each organization. */
export const secondOwner = userIdSchema.parse('7d1c2b3a-4e5f-4a6b-9c8d-1e2f3a4b5c6d')
export const secondCaller: Caller = { userId: secondOwner, securityRev: 0 }

/** An organization that both users own, without a customer at the gateway. */
export async function join(world: World, id: OrganizationId): Promise<void> {
  await world.records.createOrganization(id, '2026-11-20T08:00:00Z')
  await world.records.setMembership(id, userId, 'owner')
  await world.records.setMembership(id, secondOwner, 'owner')
}

/** An organization with a customer, a default card and another one. Answers its ids, the default card last. */
export async function openOrganization(world: World, id: OrganizationId, card: string): Promise<string[]> {
  await join(world, id)
  const { sdk } = world.stripe
  const customer = await sdk.customers.create({ metadata: { organization_id: id } }, { idempotencyKey: `cus:${id}:0` })
  const { id: method } = await sdk.paymentMethods.attach(card, { customer: customer.id })
  await sdk.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
  await sdk.customers.update(customer.id, { invoice_settings: { default_payment_method: method } })
  await world.records.bindCustomer(
    { organizationId: id, customerRev: 0 },
    { cipher: `${id}|${customer.id}`, digest: customerDigest(customer.id) },
  )
  return [id, customer.id, method]
}

/** What an organization's customer must have that is sent invoices. */
export const invoiceDetails = {
  name: 'Acme',
  email: 'billing@acme.example',
  address: { line1: 'Hauptstraße 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
}

/** In how many days the invoices of these worlds are due. */
const DAYS_UNTIL_DUE = 30

/** An organization that is sent invoices, with a customer that can be sent them and has no card. */
export async function openInvoiced(world: World, id: OrganizationId): Promise<void> {
  await join(world, id)
  sendInvoicesTo(world, id)
  const params = { metadata: { organization_id: id }, ...invoiceDetails }
  const customer = await world.stripe.sdk.customers.create(params, { idempotencyKey: `cus:${id}:0` })
  await world.records.bindCustomer(
    { organizationId: id, customerRev: 0 },
    { cipher: `${id}|${customer.id}`, digest: customerDigest(customer.id) },
  )
}

/** Has the gateway `invoice` serve an organization from now on. */
export function sendInvoicesTo(world: World, id: OrganizationId): void {
  const { accounts, ...rest } = world.records.save()
  const sent = { gateway: 'invoice', daysUntilDue: DAYS_UNTIL_DUE } as const
  world.records.load({
    ...rest,
    accounts: accounts.map((own) => (own.organizationId === id ? { ...own, ...sent } : own)),
  })
}

/** The organization's customer at the gateway. @throws Error where it has none */
export function customerOf(world: World): string {
  const { customers } = world.stripe.core.control.state()
  const own = customers.find(({ metadata }) => metadata.organization_id === organizationId)
  if (!own) throw new Error('The organization has no customer')
  return own.id
}

/** The organization's first subscription at the gateway. @throws Error if it has none */
export function subscriptionOf(world: World): string {
  const { subscriptions } = world.stripe.core.control.state()
  const own = subscriptions.find(({ metadata }) => metadata.organization_id === organizationId)
  if (!own) throw new Error('The organization has no subscription')
  return own.id
}
