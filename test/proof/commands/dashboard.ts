import Stripe from 'stripe'
import { emptySlot } from '../../../lib/billing/slot/slot.ts'
import { type BookedSubscription, chargesOf, hasEnded } from './books.ts'
import { booked } from './compare.ts'
import { organizationIds, productOfCode, slotName } from './places.ts'
import { deleteCustomer, deliverAll } from './predictOthers.ts'
import { type Code, codes, forget, type Model, type Place } from './referenceModel.ts'
import { boundCustomer, type Session } from './session.ts'

/** One line of an organization, and the subscription that a person finds for it in the Dashboard. */
interface Found {
  readonly sdk: Stripe
  readonly session: Pick<Session, 'world' | 'backups' | 'reconcile'>
  readonly organization: Place
  readonly code: Code
  /** The line's newest one that has not ended. */
  readonly live: BookedSubscription | undefined
  /** The line's newest one, ended or not. */
  readonly latest: BookedSubscription | undefined
  readonly customer: string | undefined
}

export type Hand = (found: Found) => Promise<unknown>

const ofLive =
  (change: (live: BookedSubscription, found: Found) => Promise<unknown>): Hand =>
  async (found) =>
    found.live && change(found.live, found)

const editMetadata = (metadata: (live: BookedSubscription) => Stripe.MetadataParam): Hand =>
  ofLive((live, { sdk }) => sdk.subscriptions.update(live.id, { metadata: metadata(live) }))

const removed = ({ metadata }: BookedSubscription) =>
  Object.fromEntries(Object.keys(metadata).map((name) => [name, '']))

const raised = ({ n }: BookedSubscription['metadata']) => String(Number(n) + 3)

const next = (code: Code): Code => codes[(codes.indexOf(code) + 1) % codes.length] ?? code

/** Another subscription for the same price on the organization's customer. */
const create = async ({ sdk, customer, code }: Found, metadata: Stripe.MetadataParam) => {
  const price = (await sdk.prices.list({ lookup_keys: [code] })).data[0]
  if (customer === undefined || !price) return
  await sdk.subscriptions.create({ customer, items: [{ price: price.id }], metadata })
}

/** The same, with metadata of the line's newest subscription where there is one to copy. */
const createLike =
  (copied: (latest: BookedSubscription) => Stripe.MetadataParam): Hand =>
  async (found) =>
    found.latest && create(found, copied(found.latest))

/** Gives the line another price, as Stripe recommends: the old one is not listed any more, and is sold until it is archived. */
const replacePrice = async ({ sdk, code }: Found): Promise<Stripe.Price | undefined> => {
  const old = (await sdk.prices.list({ lookup_keys: [code] })).data[0]
  if (!old) return undefined
  const { product, currency, recurring, unit_amount } = old
  await sdk.prices.create({
    product: String(product),
    currency,
    unit_amount: (unit_amount ?? 0) + 100,
    recurring: { interval: recurring?.interval ?? 'month' },
    lookup_key: code,
    transfer_lookup_key: true,
  })
  return old
}

/** What a person does to a line in Stripe's Dashboard, or an operator to its item in the table. */
export const hands = {
  'cancel the subscription': ofLive(({ id }, { sdk }) => sdk.subscriptions.cancel(id)),
  'schedule its cancellation': ofLive(({ id }, { sdk }) =>
    sdk.subscriptions.update(id, { cancel_at_period_end: true }),
  ),
  'put it under a schedule': ofLive(({ id }, { sdk }) => sdk.subscriptionSchedules.create({ from_subscription: id })),
  'refund the whole charge': ofLive(async ({ id }, { sdk, session }) => {
    const charge = chargesOf(session.world.stripe.core.control.state(), id).find(({ refunded }) => !refunded)
    return charge && sdk.refunds.create({ charge: charge.id })
  }),
  'pause its collection': ofLive(({ id }, { sdk }) =>
    sdk.subscriptions.update(id, { pause_collection: { behavior: 'void' } }),
  ),
  'remove its metadata': editMetadata(removed),
  'change the product in its metadata': editMetadata(({ metadata }) => {
    const other = next(codes.find((code) => code === metadata.plan_code) ?? 'base_ota')
    return { plan_code: other, product: productOfCode(other) }
  }),
  'raise n in its metadata': editMetadata(({ metadata }) => ({ n: raised(metadata) })),
  'change its quantity': ofLive((live, { sdk }) =>
    sdk.subscriptions.update(live.id, { items: [{ id: live.items.data[0]?.id ?? '', quantity: 2 }] }),
  ),
  'create one with its metadata': createLike(({ metadata }) => metadata),
  'create one with its metadata and a higher n': createLike(({ metadata }) => ({ ...metadata, n: raised(metadata) })),
  'create one without metadata': (found) => create(found, {}),
  'delete the customer': async ({ sdk, customer }) => customer && sdk.customers.del(customer),
  'move the lookup key to another price': replacePrice,
  'archive its price and move the lookup key to another': async (found) => {
    const old = await replacePrice(found)
    if (old) await found.sdk.prices.update(old.id, { active: false })
  },
  /** As a restore from a backup does, followed by the pass that `infra/runbook/restore.md` asks for. */
  'restore an older item': async ({ session, organization, code }) => {
    const { world } = session
    const product = productOfCode(code)
    const older = session.backups.get(slotName(organization, code))
    world.records.overwrite(older ?? { ...emptySlot(organizationIds[organization], product), rev: 1 })
    await session.reconcile({ adoptOnly: true })
  },
} as const satisfies Record<string, Hand>

export type HandName = keyof typeof hands
export const handNames = Object.keys(hands).filter((name) => isHand(name))

function isHand(name: string): name is HandName {
  return Object.hasOwn(hands, name)
}

/** What is not of one line alone: every line of the organization follows, or the product that the metadata names now. */
const reach: Partial<Record<HandName, (code: Code) => readonly Code[]>> = {
  'delete the customer': () => codes,
  'change the product in its metadata': (code) => [code, next(code)],
}

/** Does it, and expects nothing certain of the lines that it reaches from now on. */
export async function useHand(
  model: Model,
  session: Session,
  { hand, organization, code }: { hand: HandName; organization: Place; code: Code },
): Promise<void> {
  const { world, monitors } = session
  // What was sold is learned before it is changed.
  monitors.observe()
  const books = world.stripe.core.control.state()
  const line = model.organizations[organization]
  for (const own of reach[hand]?.(code) ?? [code]) {
    session.touched.add(slotName(organization, own))
    line.lines[own].byHand = true
    forget(model, line.lines[own])
  }
  // What a coupon is worth to a line that a person changed is not predicted.
  model.coupons = ['unknown', 'unknown']
  const rows = booked(books, organization, code)
  const live = rows.findLast((row) => !hasEnded(row))
  const latest = rows.at(-1)
  const bound = boundCustomer(world, organization)
  const customer = books.customers.find(({ id }) => id === bound)?.id
  try {
    await hands[hand]({ sdk: world.stripe.sdk, session, organization, code, live, latest, customer })
  } catch (error) {
    // Stripe refuses a person as well: most changes of an incomplete subscription, a purchase without a card.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
  // Its pass goes through every line.
  if (hand === 'restore an older item') deliverAll(model, 'in order')
  if (hand === 'delete the customer') {
    deleteCustomer(model.organizations[organization])
    model.organizations[organization].customer = 'unknown'
  }
}
