import { principalIdOf } from '../../core/identity.ts'
import { BillingError } from '../errors.ts'
import { gatewayFailure, requireOk } from '../gateway/gatewayFailure.ts'
import type { OwnCard } from '../gateway/gatewayPorts.ts'
import { byPrincipal } from '../slot/auditOf.ts'
import type { BillingDeps, CardFence } from '../slot/ports.ts'
import { isFree, type Slot } from '../slot/slot.ts'
import { LEASE } from '../timing.ts'
import { type CardHolder, type CardRequest, openCard } from './cards.ts'
import { type CardChange, recordCard } from './recordCard.ts'
import { setFirstDefaultCard } from './setFirstDefaultCard.ts'

/** How often to look again if a slot was written before the fence. */
const TRIES = 3

/**
 * Removes a card for good, and records that in the audit log. Another card that has paid takes its place: as the default, and for each
 * subscription that the removed card pays for. If only cards are left that never paid, the card stays while anything is subscribed or being
 * bought, unless it pays for nothing. Until it has ended, a fence keeps purchases from being sent, and other cards from being removed: each of two removals could count
 * on the other's card. If sent again, it is `payment_method_not_found`.
 * @throws OrganizationError; BillingError `payment_method_not_found`, `payment_method_in_use`, `card_not_accepted`,
 * `gateway_refused`, `gateway_unavailable`; CommonError `service_unavailable`
 */
export async function removeCard(deps: BillingDeps, request: CardRequest): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const holder = await openCard(deps, request)
    const { card, account, everySlot } = holder
    requireNoOtherRemoval(holder, deps.clock.now())
    const fence = { owner: deps.ids.uuid(), until: deps.clock.now() + LEASE, card: card.id }
    const fenced = await deps.records.fenceCards(account, everySlot, fence)
    if (fenced === 'written') return removeFenced(deps, holder, request, fence)
  }
  throw new BillingError('gateway_unavailable', { message: 'The slots kept changing' })
}

/** A removal that is repeated, as after a lost answer, need not wait for its own fence. */
function requireNoOtherRemoval({ account: { cardFence }, card }: CardHolder, now: number): void {
  if (cardFence === undefined || cardFence.until <= now || cardFence.card === card.id) return
  throw new BillingError('gateway_unavailable', { message: 'Another card is being removed' })
}

/**
 * What pays when the card is gone: of the others that have paid, the default, or else the first. Null if none has.
 * @param paid the customer's cards that have paid, in the order of their first payments
 */
function successorOf({ card, defaultId }: CardHolder, paid: readonly string[]): string | null {
  const others = paid.filter((id) => id !== card.id)
  return others.find((id) => id === defaultId) ?? others[0] ?? null
}

/** Whether a slot may need the card. What is incomplete is paid with a card that its buyer names, or else with the default. */
function mayNeed({ card }: CardHolder, slot: Slot): boolean {
  return !isFree(slot) && (card.isDefault || slot.state !== 'incomplete')
}

/** Whether nothing depends on the card: it is not the default, no subscription names it, and no purchase that may name it is under way. */
function paysForNothing({ card, slots }: CardHolder, own: readonly OwnCard[]): boolean {
  const isNamed = own.some(({ paymentMethodId }) => paymentMethodId === card.id)
  return !card.isDefault && !isNamed && slots.every(({ state }) => state !== 'pending')
}

/**
 * Ends the fence when the card is certainly gone. If the card was refused, another request may still be removing it: then the fence ends only
 * if this request was alone. Otherwise it ends by itself.
 */
async function removeFenced(deps: BillingDeps, holder: CardHolder, request: CardRequest, fence: CardFence) {
  const { account } = holder
  const isAlone = account.cardFence === undefined || account.cardFence.until <= deps.clock.now()
  const unfence = () => deps.records.unfenceCards(account.organizationId, fence).catch(() => undefined)
  try {
    await removeMoved(deps, holder, request)
  } catch (error) {
    const code = error instanceof BillingError ? error.code : undefined
    const isUnknown = code === 'gateway_unavailable'
    const isGone = code === 'payment_method_not_found'
    if (isGone || (isAlone && !isUnknown)) await unfence()
    throw error
  }
  await unfence()
}

/** Moves what the card pays for to its successor, and removes it. */
async function removeMoved(deps: BillingDeps, holder: CardHolder, request: CardRequest): Promise<void> {
  const since = deps.clock.now()
  const { card, customerId, gateway, slots } = holder
  const { cards, purchases } = gateway
  const successor = successorOf(holder, requireOk(await cards.listPaidCards(customerId)))
  const own = requireOk(await purchases.listOwnCards(customerId))
  const mayBeNeeded = own.length > 0 || slots.some((slot) => mayNeed(holder, slot))
  if (successor === null && mayBeNeeded && !paysForNothing(holder, own)) throw new BillingError('payment_method_in_use')
  const actor = byPrincipal(principalIdOf(request.caller))
  const record = (change: CardChange, id: string) =>
    recordCard(deps, request.organizationId, { change, card: id, actor })
  if (successor !== null) {
    // The default comes first: it also pays what names no card, and what is bought from then on.
    if (card.isDefault) requireOk(await cards.setDefaultCard(customerId, successor, { kind: 'paid' }))
    // An earlier try of this request may have made it the default without an answer, and so without an entry.
    if (card.isDefault || isNewDefault(holder, successor)) await record('default_changed', successor)
    await moveSubscriptions(holder, own, successor)
  }
  await detach(holder)
  await record('removed', card.id)
  const heir = successor ?? (card.isDefault ? null : holder.defaultId)
  if (heir === null) return
  // If another request made this card the default meanwhile, the customer has no default now.
  await setFirstDefaultCard(cards, { customerId, since }, heir)
}

/** Whether a card is the default because it has paid, as a removal or an event makes it. */
function isNewDefault({ defaultId, because }: CardHolder, card: string): boolean {
  return defaultId === card && because === 'paid'
}

async function moveSubscriptions(
  { card, gateway: { purchases } }: CardHolder,
  own: readonly OwnCard[],
  successor: string,
): Promise<void> {
  for (const { subscriptionId, paymentMethodId } of own) {
    if (paymentMethodId !== card.id) continue
    const moved = await purchases.setPaymentMethod(subscriptionId, successor)
    const hasEnded = moved.kind === 'refused' && moved.reason === 'not_found'
    if (!hasEnded) requireOk(moved)
  }
}

/** If the gateway refuses, it may only be that another request was faster. */
async function detach({ gateway: { cards }, customerId, card }: CardHolder): Promise<void> {
  const removed = await cards.removeCard(card.id)
  if (removed.kind === 'ok') return
  if (removed.kind === 'refused' && requireOk(await cards.fetchCard(customerId, card.id)) === null)
    throw new BillingError('payment_method_not_found')
  throw gatewayFailure(removed)
}
