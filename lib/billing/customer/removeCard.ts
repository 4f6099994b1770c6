import { principalIdOf } from '../../core/identity.ts'
import { BillingError } from '../errors.ts'
import { gatewayFailure, requireOk } from '../gateway/gatewayFailure.ts'
import { byPrincipal } from '../slot/auditOf.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { isFree } from '../slot/slot.ts'
import { type CardHolder, type CardRequest, openCard } from './cards.ts'
import { recordCard } from './recordCard.ts'

/**
 * Removes a card for good, and records that in the audit log. The default card stays while anything holds a slot or is being bought. If the
 * card is a subscription's own, the subscription is first moved to the default card. If sent again, it is `payment_method_not_found`.
 * @throws OrganizationError; BillingError `payment_method_not_found`, `payment_method_in_use`, `card_not_accepted`,
 * `gateway_refused`, `gateway_unavailable`; CommonError `service_unavailable`
 */
export async function removeCard(deps: BillingDeps, request: CardRequest): Promise<void> {
  const holder = await openCard(deps, request)
  const { card, customerId, slots, gateway, defaultId } = holder
  const { cards, purchases } = gateway
  if (card.isDefault && !slots.every(isFree)) throw new BillingError('payment_method_in_use')

  const own = requireOk(await purchases.listOwnCards(customerId))
  const paid = own.filter(({ paymentMethodId }) => paymentMethodId === card.id)
  const left = card.isDefault ? null : defaultId
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
  if (left !== null) await cards.setFirstDefaultCard(customerId, left)
}

/** If the gateway refuses, it may only be that another request was faster. */
async function detach({ gateway: { cards }, customerId, card }: CardHolder): Promise<void> {
  const removed = await cards.removeCard(card.id)
  if (removed.kind === 'ok') return
  if (removed.kind === 'refused' && requireOk(await cards.fetchCard(customerId, card.id)) === null)
    throw new BillingError('payment_method_not_found')
  throw gatewayFailure(removed)
}
