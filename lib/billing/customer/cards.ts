import type { Principal } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { BillingError } from '../errors.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Card, CardOfCustomer, Cards, PaymentGateway } from '../gateway/gatewayPorts.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'
import { READ_BUDGET } from '../timing.ts'
import { customerOf } from './customer.ts'

interface CardsRequest {
  organizationId: OrganizationId
  caller: Principal
}

export interface CardRequest extends CardsRequest {
  paymentMethodId: string
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
 * The organization's cards, newest first. If it has no customer, or its gateway takes no cards, returns none without asking a gateway.
 * Takes no longer than `READ_BUDGET`.
 * @throws OrganizationError if the caller may not see them; BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function listCards(deps: BillingDeps, request: CardsRequest): Promise<readonly Card[]> {
  const answerBy = deps.clock.now() + READ_BUDGET
  const account = authorizeBilling(await deps.records.read(request.organizationId, request.caller, []), 'write billing')
  const { cards } = gatewayOf(deps.gateways, account)
  if (!cards || !account.customer) return []
  const customerId = requireOk(await customerOf(deps, account.organizationId, account.customer))
  return requireOk(await cards.listCards(customerId, { answerBy }))
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
