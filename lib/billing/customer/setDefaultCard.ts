import { principalIdOf } from '../../core/identity.ts'
import { BillingError } from '../errors.ts'
import { gatewayFailure, requireOk } from '../gateway/gatewayFailure.ts'
import type { Card } from '../gateway/gatewayPorts.ts'
import { byPrincipal } from '../slot/byPrincipal.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { type CardHolder, type CardRequest, openCard } from './cards.ts'
import { recordCard } from './recordCard.ts'

/** How often it is looked whether another request has made another card the default. */
const ROUNDS = 4

/**
 * Makes a card the customer's default, and that of every subscription that holds its slot, so that none ends with a card that was
 * replaced; an `incomplete` one is paid by itself. The customer first: whatever is sold from then on is paid with it; the audit log says
 * so. Then what the gateway lists, also where the record does not have it yet. Of two
 * requests at once, the customer's last default is in the end the one of every subscription, for each looks again when it is done,
 * and follows. Sent again, it makes up for what a crash left out.
 * @returns the card, as it is then
 * @throws OrganizationError; BillingError `payment_method_not_found`, `card_not_accepted`, `gateway_refused`, `gateway_unavailable`;
 * CommonError `service_unavailable`
 */
export async function setDefaultCard(deps: BillingDeps, request: CardRequest): Promise<Card> {
  const holder = await openCard(deps, request)
  const { customerId, gateway, card } = holder
  const chosen = await gateway.cards.setDefaultCard(customerId, card.id)
  if (chosen.kind === 'refused' && chosen.reason === 'payment_method_invalid')
    throw new BillingError('payment_method_not_found')
  requireOk(chosen)
  const actor = byPrincipal(principalIdOf(request.caller))
  await recordCard(deps, request.organizationId, { change: 'default_changed', card: card.id, actor })
  return { ...card, isDefault: (await moveSubscriptions(holder)) === card.id }
}

/** Gives every live subscription the customer's default card, until nothing is left to move. Returns that card. */
async function moveSubscriptions({ customerId, gateway, card }: CardHolder): Promise<string> {
  let target = card.id
  for (let round = 0; round < ROUNDS; round += 1) {
    const own = requireOk(await gateway.purchases.listOwnCards(customerId))
    const lagging = own.filter(({ paymentMethodId }) => paymentMethodId !== target)
    let isMoved = true
    // One after another: the gateway locks the customer.
    for (const { subscriptionId } of lagging) isMoved = (await move(gateway, subscriptionId, target)) && isMoved
    const current = requireOk(await gateway.cards.fetchDefaultCard(customerId))
    // Removed by another request, which makes the default before it the default again.
    if (current === null) throw new BillingError('payment_method_not_found')
    if (current === target && isMoved) return target
    target = current
  }
  throw new BillingError('gateway_unavailable', { message: 'The default card kept changing' })
}

/** @returns false where the card was removed meanwhile */
async function move({ purchases }: CardHolder['gateway'], subscriptionId: string, card: string): Promise<boolean> {
  const moved = await purchases.setPaymentMethod(subscriptionId, card)
  if (moved.kind === 'refused' && moved.reason === 'payment_method_invalid') return false
  // One that has ended needs no card.
  if (moved.kind === 'ok' || (moved.kind === 'refused' && moved.reason === 'not_found')) return true
  throw gatewayFailure(moved)
}
