import { principalIdOf } from '../../core/identity.ts'
import { BillingError } from '../errors.ts'
import { gatewayFailure, requireOk } from '../gateway/gatewayFailure.ts'
import type { Card } from '../gateway/gatewayPorts.ts'
import { byPrincipal } from '../slot/auditOf.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { type CardHolder, type CardRequest, openCard } from './cards.ts'
import { recordCard } from './recordCard.ts'
import { restoreChoice } from './setFirstDefaultCard.ts'

/** How often to look whether another request has made another card the default. */
const ROUNDS = 4

/**
 * Makes a card the default of the customer and of every subscription that holds its slot, so that no subscription is left with a replaced
 * card. An `incomplete` subscription is paid by itself. The customer comes first, so the card pays for everything that is sold from then on.
 * The audit log comes next, and then every subscription that the gateway lists, even if it is not recorded here yet.
 * If two requests run at once, each looks again when it is done and follows the last choice: in the end every subscription has that card. If a crash left something out, sending the request again makes up for it.
 * @returns the card, as it is then
 * @throws OrganizationError; BillingError `payment_method_not_found`, `card_not_accepted`, `gateway_refused`, `gateway_unavailable`;
 * CommonError `service_unavailable`
 */
export async function setDefaultCard(deps: BillingDeps, request: CardRequest): Promise<Card> {
  const since = deps.clock.now()
  const holder = await openCard(deps, request)
  const { customerId, gateway, card } = holder
  const chosen = await gateway.cards.setDefaultCard(customerId, card.id, { kind: 'chosen', at: deps.clock.now() })
  if (chosen.kind === 'refused' && chosen.reason === 'payment_method_invalid')
    throw new BillingError('payment_method_not_found')
  requireOk(chosen)
  const actor = byPrincipal(principalIdOf(request.caller))
  await recordCard(deps, request.organizationId, { change: 'default_changed', card: card.id, actor })
  return { ...card, isDefault: (await moveSubscriptions(holder, since)) === card.id }
}

/** Gives every live subscription the customer's default card, until nothing is left to move. Returns that card. */
async function moveSubscriptions({ customerId, gateway, card }: CardHolder, since: number): Promise<string> {
  const { cards } = gateway
  let target = card.id
  for (let round = 0; round < ROUNDS; round += 1) {
    const own = requireOk(await gateway.purchases.listOwnCards(customerId))
    const lagging = own.filter(({ paymentMethodId }) => paymentMethodId !== target)
    let isMoved = true
    // One after another: the gateway locks the customer.
    for (const { subscriptionId } of lagging) isMoved = (await move(gateway, subscriptionId, target)) && isMoved
    const found = await cards.fetchDefaultCard(customerId)
    const { id: current } = requireOk(await restoreChoice(cards, { customerId, since }, found))
    // Another request removed the card. That request makes the previous default the default again.
    if (current === null) throw new BillingError('payment_method_not_found')
    if (current === target && isMoved) return target
    target = current
  }
  throw new BillingError('gateway_unavailable', { message: 'The default card kept changing' })
}

/** @returns false if the card was removed meanwhile */
async function move({ purchases }: CardHolder['gateway'], subscriptionId: string, card: string): Promise<boolean> {
  const moved = await purchases.setPaymentMethod(subscriptionId, card)
  if (moved.kind === 'refused' && moved.reason === 'payment_method_invalid') return false
  // If the subscription has ended, it needs no card.
  if (moved.kind === 'ok' || (moved.kind === 'refused' && moved.reason === 'not_found')) return true
  throw gatewayFailure(moved)
}
