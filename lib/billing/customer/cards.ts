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

/** A request about an organization's cards. */
export interface CardsRequest {
  organizationId: OrganizationId
  caller: Principal
}

/** The same about one of them. */
export interface CardRequest extends CardsRequest {
  paymentMethodId: string
}

/** An organization whose customer may have cards, with the slots that its gateway has. */
export interface CardHolder extends CardOfCustomer {
  account: BillingAccount
  customerId: string
  slots: readonly Slot[]
  gateway: PaymentGateway & { cards: Cards }
}

/**
 * The organization's cards, newest first. Without a customer, or with a gateway that takes no cards, there are none, and no gateway is
 * asked. Takes no longer than `READ_BUDGET`.
 * @throws OrganizationError for a caller who may not; BillingError `gateway_refused`, `gateway_unavailable`
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
 * One card of the organization with all that changing it needs.
 * @throws OrganizationError; BillingError `payment_method_not_found` for any other card, `card_not_accepted` where the gateway takes
 * none, `gateway_refused`, `gateway_unavailable`
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
  return { ...found, account, customerId, slots: slotsOf(account, billing.slots), gateway: { ...gateway, cards } }
}

/** The slots whose purchases the account's gateway has: only those are paid with its cards. */
function slotsOf({ gateway }: BillingAccount, slots: readonly Slot[]): readonly Slot[] {
  return slots.filter((slot) => (slot.gateway ?? gateway) === gateway)
}
