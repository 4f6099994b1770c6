import { principalIdOf } from '../../core/identity.ts'
import { BillingError } from '../errors.ts'
import { gatewayFailure, requireOk } from '../gateway/gatewayFailure.ts'
import { byPrincipal } from '../slot/auditOf.ts'
import type { BillingDeps, CardFence } from '../slot/ports.ts'
import { isFree } from '../slot/slot.ts'
import { LEASE } from '../timing.ts'
import { type CardHolder, type CardRequest, openCard } from './cards.ts'
import { recordCard } from './recordCard.ts'
import { setFirstDefaultCard } from './setFirstDefaultCard.ts'

/** How often to look again if a slot was written before the fence. */
const TRIES = 3

/**
 * Removes a card for good, and records that in the audit log. The default card stays while anything holds a slot or is being bought. If the
 * card is a subscription's own, the subscription is first moved to the default card. If the removal may leave nothing to pay with, a fence
 * keeps purchases from being sent until it has ended. If sent again, it is `payment_method_not_found`.
 * @throws OrganizationError; BillingError `payment_method_not_found`, `payment_method_in_use`, `card_not_accepted`,
 * `gateway_refused`, `gateway_unavailable`; CommonError `service_unavailable`
 */
export async function removeCard(deps: BillingDeps, request: CardRequest): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const holder = await openCard(deps, request)
    const { card, account, slots, everySlot } = holder
    if (card.isDefault && !slots.every(isFree)) throw new BillingError('payment_method_in_use')
    if (leftBeside(holder) !== null) return removeMoved(deps, holder, request)
    if (slots.some(({ state }) => state === 'pending')) throw new BillingError('payment_method_in_use')
    const fence = { owner: deps.ids.uuid(), until: deps.clock.now() + LEASE }
    const fenced = await deps.records.fenceCards(account, everySlot, fence)
    if (fenced === 'written') return removeFenced(deps, holder, request, fence)
  }
  throw new BillingError('gateway_unavailable', { message: 'The slots kept changing' })
}

/** What is left to pay with when the card is gone: the default card, if it is another. */
function leftBeside({ card, defaultId }: CardHolder): string | null {
  return card.isDefault ? null : defaultId
}

/** Ends the fence when it is certain whether the card is removed, unless another removal began before. Otherwise the fence ends by itself. */
async function removeFenced(deps: BillingDeps, holder: CardHolder, request: CardRequest, fence: CardFence) {
  const { account } = holder
  const isAlone = account.cardFence === undefined || account.cardFence.until <= deps.clock.now()
  const unfence = () => deps.records.unfenceCards(account.organizationId, fence).catch(() => undefined)
  try {
    await removeMoved(deps, holder, request)
  } catch (error) {
    const isUnknown = error instanceof BillingError && error.code === 'gateway_unavailable'
    if (isAlone && !isUnknown) await unfence()
    throw error
  }
  if (isAlone) await unfence()
}

/** Moves the subscriptions that the card pays for to the card that is left, and removes it. */
async function removeMoved(deps: BillingDeps, holder: CardHolder, request: CardRequest): Promise<void> {
  const since = deps.clock.now()
  const { card, customerId, gateway } = holder
  const { cards, purchases } = gateway
  const own = requireOk(await purchases.listOwnCards(customerId))
  const paid = own.filter(({ paymentMethodId }) => paymentMethodId === card.id)
  const left = leftBeside(holder)
  if (paid.length > 0 && left === null) throw new BillingError('payment_method_in_use')
  for (const { subscriptionId } of paid) {
    const moved = await purchases.setPaymentMethod(subscriptionId, left)
    const hasEnded = moved.kind === 'refused' && moved.reason === 'not_found'
    if (!hasEnded) requireOk(moved)
  }
  await detach(holder)
  const actor = byPrincipal(principalIdOf(request.caller))
  await recordCard(deps, request.organizationId, { change: 'removed', card: card.id, actor })
  // If another request made this card the default meanwhile, the customer has no default now.
  if (left !== null) await setFirstDefaultCard(cards, { customerId, since }, left)
}

/** If the gateway refuses, it may only be that another request was faster. */
async function detach({ gateway: { cards }, customerId, card }: CardHolder): Promise<void> {
  const removed = await cards.removeCard(card.id)
  if (removed.kind === 'ok') return
  if (removed.kind === 'refused' && requireOk(await cards.fetchCard(customerId, card.id)) === null)
    throw new BillingError('payment_method_not_found')
  throw gatewayFailure(removed)
}
