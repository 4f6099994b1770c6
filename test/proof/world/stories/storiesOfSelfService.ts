import { removeCard } from '../../../../lib/billing/customer/removeCard.ts'
import { setDefaultCard } from '../../../../lib/billing/customer/setDefaultCard.ts'
import { paySubscription } from '../../../../lib/billing/subscriptions/paySubscription.ts'
import { resume } from '../../../../lib/billing/subscriptions/resume.ts'
import type { AuditAction } from '../../../../lib/organizations/auditActions.ts'
import { caller, organizationId } from '../../../billing/fixtures.ts'
import { acknowledgeWebhooks } from '../faults/faultRun.ts'
import type { Healer } from '../healers.ts'
import type { Operation, World } from '../world.ts'
import { after, buying, canceling, customerOf, mustBuy } from './storiesGround.ts'
import type { StoryPlan } from './story.ts'

const DAY = 86_400_000
const product = 'ota' as const

export const resuming: Operation = (deps) => resume(deps, { organizationId, caller, product })

/** Pays `ota` with this card, or with what it has. */
export const paying = (paymentMethodId?: string): Operation => {
  return (deps) => paySubscription(deps, { organizationId, caller, product, paymentMethodId })
}

/** Makes this card the default. */
export const choosing = (paymentMethodId: string): Operation => {
  return (deps) => setDefaultCard(deps, { organizationId, caller, paymentMethodId })
}

/** Removes this card. */
export const removing = (paymentMethodId: string): Operation => {
  return (deps) => removeCard(deps, { organizationId, caller, paymentMethodId })
}

/** What people do with a subscription and their cards by themselves. */
export const storiesOfSelfService: readonly StoryPlan[] = [
  {
    name: 'resume of a canceled subscription',
    card: 'pm_card_visa',
    async prepare(world) {
      await mustBuy(world, buying({}))
      await world.run(canceling(true))
      return resuming
    },
    atRest(world, healer) {
      const [named, { length }] = [
        namedFor(world, 'subscription.resumed'),
        liveOf(world).filter((own) => own.cancel_at === null),
      ]
      return healer && named !== length ? [`users are named for ${named} of ${length} that were resumed`] : []
    },
  },
  {
    name: 'payment of a purchase with another card',
    card: 'pm_card_authenticationRequired',
    async prepare(world) {
      await mustBuy(world, buying({ couponCode: 'HALF' }))
      return paying(await attach(world, 'pm_card_visa'))
    },
  },
  {
    name: 'payment of a renewal that was declined',
    card: 'pm_card_visa',
    aboutCards: true,
    prepare: after([fallPastDue], paying()),
    atRest(world, healer) {
      // At its own next attempt the gateway pays by itself. Of a payment that comes after its answer was awaited the user is not known.
      const hasPaid = world.stripe.core.control.requests().some(({ path }) => path.endsWith('/pay'))
      const active = liveOf(world).filter(({ status }) => hasPaid && status === 'active')
      const named = namedFor(world, 'subscription.status_changed')
      return healer && named > active.length ? [`users are named for ${named} payments`] : []
    },
  },
  {
    name: 'cancel of a past-due subscription at the end of its period',
    card: 'pm_card_visa',
    aboutCards: true,
    prepare: after([fallPastDue], canceling(true)),
    meanwhile: paying(),
    atRest: keptRenewals,
  },
  {
    name: 'cancel of a past-due subscription now',
    card: 'pm_card_visa',
    aboutCards: true,
    prepare: after([fallPastDue], canceling(false)),
  },
  {
    name: 'choice of a default card',
    card: 'pm_card_visa',
    aboutCards: true,
    async prepare(world) {
      await mustBuy(world, buying({}))
      return choosing(await attach(world, 'pm_card_visa'))
    },
    atRest: (world, healer) => [
      ...notDefault(world),
      ...wronglySaid(world, 'default_changed', healer),
      ...(healer && defaultOf(world) === firstCardOf(world) ? ['the default is the card before'] : []),
    ],
  },
  {
    name: 'removal of a card that a subscription is paid with',
    card: 'pm_card_visa',
    aboutCards: true,
    async prepare(world) {
      return removing(await payWithTwoCards(world))
    },
    atRest: (world, healer) => [...notDefault(world), ...wronglySaid(world, 'removed', healer)],
  },
  {
    name: 'removal of the default card beside another that has paid',
    card: 'pm_card_visa',
    aboutCards: true,
    async prepare(world) {
      await payWithTwoCards(world)
      return removing(defaultCardOf(world))
    },
    atRest: (world, healer) => [
      ...withoutCard(world),
      ...wronglySaid(world, 'removed', healer),
      ...wronglySaid(world, 'default_changed', healer),
    ],
  },
  {
    name: 'removal of the default card',
    card: 'pm_card_visa',
    aboutCards: true,
    async prepare(world) {
      return removing(defaultCardOf(world))
    },
    atRest: (world, healer) => [...withoutCard(world), ...wronglySaid(world, 'removed', healer)],
  },
]

/** Buys a product with the default card and another product with another card. Answers the other card. */
async function payWithTwoCards(world: World): Promise<string> {
  await mustBuy(world, buying({}))
  const paymentMethodId = await attach(world, 'pm_card_mastercard')
  await mustBuy(world, buying({ paymentMethodId, productCodes: ['addon_monitoring'] }))
  return paymentMethodId
}

/** Buys, lets the renewal be declined, and gives the customer a card that pays. */
async function fallPastDue(world: World): Promise<void> {
  await mustBuy(world, buying({}))
  await chooseByHand(world, await attach(world, 'pm_card_chargeCustomerFail'))
  // A day for the draft: the invoice of a renewal is charged an hour after it was made.
  for (const days of [32, 1]) await world.pass(days * DAY)
  await acknowledgeWebhooks(world)
  await chooseByHand(world, await attach(world, 'pm_card_visa'))
}

/** Renewals that were paid of a subscription that ended before their period did. */
function keptRenewals(world: World): string[] {
  const { subscriptions, invoices } = world.stripe.core.control.state()
  const ended = subscriptions
    .filter(({ status, ended_at, items }) => status === 'canceled' && ended_at !== items.data[0]?.current_period_end)
    .map(({ id }) => id)
  return invoices.flatMap(({ id, status, billing_reason: reason, parent }) => {
    const isOfEnded = ended.includes(parent?.subscription_details?.subscription ?? '')
    return isOfEnded && status === 'paid' && reason === 'subscription_cycle' ? [`${id} was paid for nothing`] : []
  })
}

/** Gives the organization's customer another card. */
export async function attach(world: World, card: string): Promise<string> {
  return (await world.stripe.sdk.paymentMethods.attach(card, { customer: customerOf(world) })).id
}

/** Makes a card the default of the customer and of its subscriptions, as a person does in the Dashboard. */
async function chooseByHand(world: World, default_payment_method: string): Promise<void> {
  const { sdk } = world.stripe
  await sdk.customers.update(customerOf(world), { invoice_settings: { default_payment_method } })
  for (const { id } of liveOf(world)) await sdk.subscriptions.update(id, { default_payment_method })
}

/** How many entries name a user for this. */
function namedFor(world: World, change: AuditAction): number {
  return world.records.save().entries.filter(({ action, actor }) => action === change && actor.type === 'user').length
}

/** Once a fault is healed, the audit log says once what became of a card. */
function wronglySaid(world: World, change: 'default_changed' | 'removed', healer: Healer | undefined): string[] {
  const count = world.records.save().entries.filter(({ action }) => action === `payment_method.${change}`).length
  // A removal that is sent again finds no card, and nobody repeats for the sweeper: then it may be missing.
  const isMissing = count === 0 && change === 'default_changed' && healer === 'the same request'
  return healer && (isMissing || count > 1) ? [`the audit log says ${count} times: ${change}`] : []
}

function liveOf(world: World) {
  const { subscriptions } = world.stripe.core.control.state()
  return subscriptions.filter(
    ({ status, metadata }) => status !== 'canceled' && metadata.organization_id === organizationId,
  )
}

/** The customer's default card, if it has one. */
export function defaultOf(world: World) {
  const { customers } = world.stripe.core.control.state()
  return customers.find(({ id }) => id === customerOf(world))?.invoice_settings.default_payment_method
}

/** The customer's cards. */
export function cardsOf(world: World): string[] {
  const { payment_methods: methods } = world.stripe.core.control.state()
  return methods.filter(({ customer }) => customer === customerOf(world)).map(({ id }) => id)
}

/** The card that the customer had first. */
export function firstCardOf(world: World): string {
  return cardsOf(world)[0] ?? ''
}

/** The card that the customer got last. */
export function lastCardOf(world: World): string {
  return cardsOf(world).at(-1) ?? ''
}

/** The customer's default card. @throws Error where it has none */
export function defaultCardOf(world: World): string {
  const chosen = defaultOf(world)
  if (typeof chosen !== 'string') throw new Error('The customer has no default card')
  return chosen
}

/** Nothing is live that no card pays for. */
function withoutCard(world: World): string[] {
  const chosen = defaultOf(world)
  return liveOf(world).flatMap(({ id, status, default_payment_method: own }) =>
    (own ?? chosen) === null && status === 'active' ? [`${id} is live, and no card pays for it`] : [],
  )
}

/** Every live subscription is paid with the customer's default card, and there is one. */
export function notDefault(world: World): string[] {
  const chosen = defaultOf(world)
  return liveOf(world).flatMap(({ id, default_payment_method: own }) => {
    const card = own ?? chosen
    return card !== null && card === chosen ? [] : [`${id} is paid with ${own}, and the default is ${chosen}`]
  })
}
