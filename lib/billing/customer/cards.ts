import type { AnyCaller, Principal } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Product } from '../catalog.ts'
import { BillingError } from '../errors.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Card, CardOfCustomer, Cards, OwnCard, PaymentGateway } from '../gateway/gatewayPorts.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'
import { READ_BUDGET } from '../timing.ts'
import { customerOf } from './customer.ts'

interface CardsRequest {
  organizationId: OrganizationId
  caller: AnyCaller
}

export interface CardRequest extends CardsRequest {
  caller: Principal
  paymentMethodId: string
}

/** A saved card. */
export interface SavedCard extends Card {
  /** Whether a payment with it has succeeded. */
  hasPaid: boolean
  /** The products whose renewals it pays for. */
  paysFor: readonly Product[]
}

/** A card with its organization and customer. `slots`: only those whose purchases the organization's gateway has. */
export interface CardHolder extends CardOfCustomer {
  account: BillingAccount
  customerId: string
  slots: readonly Slot[]
  everySlot: readonly Slot[]
  gateway: PaymentGateway & { cards: Cards }
}

/**
 * The organization's cards, newest first, and what each pays for. If it has no customer, or its gateway takes no cards, returns none without asking a gateway.
 * Takes no longer than `READ_BUDGET`.
 * @throws OrganizationError if the caller may not see them; BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function listCards(deps: BillingDeps, request: CardsRequest): Promise<readonly SavedCard[]> {
  const answerBy = deps.clock.now() + READ_BUDGET
  const billing = await deps.records.read(request.organizationId, request.caller)
  const account = authorizeBilling(billing, 'write billing')
  const { cards, purchases } = gatewayOf(deps.gateways, account)
  if (!cards || !account.customer) return []
  const customerId = requireOk(await customerOf(deps, account.organizationId, account.customer))
  const [saved, paid, own] = await Promise.all([
    cards.listCards(customerId, { answerBy }),
    cards.listPaidCards(customerId, { answerBy }),
    purchases.listOwnCards(customerId, { answerBy }),
  ])
  const hasPaid = new Set(requireOk(paid))
  const payers = payersOf(requireOk(saved), requireOk(own), billing.slots)
  return requireOk(saved).map((card) => ({
    ...card,
    hasPaid: hasPaid.has(card.id),
    paysFor: payers.flatMap(({ product, payer }) => (payer === card.id ? [product] : [])),
  }))
}

/**
 * One of the cards that `listCards` lists.
 * @throws as `listCards`; BillingError `payment_method_not_found`
 */
export async function getCard(
  deps: BillingDeps,
  { paymentMethodId, ...request }: CardsRequest & { paymentMethodId: string },
): Promise<SavedCard> {
  const card = (await listCards(deps, request)).find(({ id }) => id === paymentMethodId)
  if (!card) throw new BillingError('payment_method_not_found')
  return card
}

/** Which card pays for the renewals of each product; the default if the subscription names none. */
function payersOf(saved: readonly Card[], own: readonly OwnCard[], slots: readonly Slot[]) {
  const named = new Map(own.map(({ subscriptionId, paymentMethodId }) => [subscriptionId, paymentMethodId]))
  const defaultId = saved.find(({ isDefault }) => isDefault)?.id
  return slots.flatMap(({ product, subscription }) => {
    const card = subscription && named.get(subscription.id)
    return card === undefined ? [] : [{ product, payer: card ?? defaultId }]
  })
}

/**
 * A card of the organization with everything needed to change it.
 * @throws OrganizationError; BillingError `payment_method_not_found` if it is not the organization's card, `card_not_accepted` if the
 * gateway takes no cards, `gateway_refused`, `gateway_unavailable`
 */
export async function openCard(deps: BillingDeps, request: CardRequest): Promise<CardHolder> {
  const billing = await deps.records.read(request.organizationId, request.caller)
  const account = authorizeBilling(billing, 'write billing')
  const gateway = gatewayOf(deps.gateways, account)
  const { cards } = gateway
  if (!cards) throw new BillingError('card_not_accepted')
  if (!account.customer) throw new BillingError('payment_method_not_found')
  const customerId = requireOk(await customerOf(deps, account.organizationId, account.customer))
  const found = requireOk(await cards.fetchCard(customerId, request.paymentMethodId))
  if (!found) throw new BillingError('payment_method_not_found')
  const { slots: everySlot } = billing
  const slots = slotsOf(account, everySlot)
  return { ...found, account, customerId, slots, everySlot, gateway: { ...gateway, cards } }
}

/** The slots whose purchases the account's gateway has: its cards pay only for those. */
function slotsOf({ gateway }: BillingAccount, slots: readonly Slot[]): readonly Slot[] {
  return slots.filter((slot) => (slot.gateway ?? gateway) === gateway)
}
