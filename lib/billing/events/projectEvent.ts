import { reasonOf } from '../../core/errors.ts'
import { type PrincipalId, principalIdSchema } from '../../core/ids.ts'
import type { AuditActor } from '../../organizations/ports.ts'
import { customerDigest } from '../customer/customer.ts'
import { recordCard } from '../customer/recordCard.ts'
import { setFirstDefaultCard } from '../customer/setFirstDefaultCard.ts'
import { BillingError } from '../errors.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { GatewayEvent } from '../gateway/gatewayEvent.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { byPrincipal } from '../slot/auditOf.ts'
import type { BillingAccount } from '../slot/ports.ts'
import { announceInvoice } from './announceInvoice.ts'
import { matchAccount, matchPayer } from './matchEvent.ts'
import { type EventOf, ignoreEvent, type ProjectionDeps, projectSubscription } from './projectSubscription.ts'

/**
 * Projects a verified event: fetch the latest state, compare and set. When it returns, everything is committed.
 * @throws BillingError `gateway_unavailable` or CommonError `service_unavailable`: the gateway will send the event again
 */
export async function projectEvent(deps: ProjectionDeps, event: GatewayEvent): Promise<void> {
  switch (event.kind) {
    case 'subscription':
      await projectSubscription(deps, event)
      return projectInvoice(deps, event)
    case 'card_set_up':
      return projectCard(deps, event)
    case 'customer_deleted':
      return projectDeletedCustomer(deps, event)
    case 'card_removed':
      // The gateway itself removes the card from the customer and its subscriptions; we store no card.
      return ignoreEvent(deps, 'payment_method.detached', 'no card is kept')
    case 'other':
      return ignoreEvent(deps, event.type, 'not projected')
  }
}

/**
 * The first card set up becomes the default: it pays purchases and renewals if they name no other card. The audit log gets an entry
 * if the card is the default by then, unless an entry already says so. It names the user who set the card up.
 */
async function projectCard(deps: ProjectionDeps, event: EventOf<'card_set_up'>): Promise<void> {
  const account = await matchAccount(deps.records, event)
  if (!account) return ignoreEvent(deps, 'setup_intent.succeeded', 'not ours')
  const { cards } = gatewayOf(deps.gateways, account)
  if (!cards) return
  const { customerId, paymentMethodId: card, created } = event
  const now = await setFirstDefaultCard(cards, { customerId, since: created * 1000 }, card)
  if (!isDone(now) || now.value.id !== card) return
  await recordCard(deps, account.organizationId, { change: 'default_changed', card, actor: actorOf(event.by) })
}

/** What follows from an invoice that was paid, or whose payment failed. */
async function projectInvoice(deps: ProjectionDeps, event: EventOf<'subscription'>): Promise<void> {
  if (event.type !== 'invoice.paid' && event.type !== 'invoice.payment_failed') return
  const account = await matchPayer(deps.records, event)
  if (!account) return
  await announceInvoice(deps, event, account)
  if (event.type === 'invoice.paid') await projectPaidCard(deps, account, event)
}

/** The first card that paid becomes the default, unless a user chose another. The audit log names the buyer, unless a renewal was paid. */
async function projectPaidCard(
  deps: ProjectionDeps,
  account: BillingAccount,
  event: EventOf<'subscription'>,
): Promise<void> {
  const { cards } = gatewayOf(deps.gateways, account)
  if (!cards || account.customer?.digest !== customerDigest(event.customerId)) return
  const { customerId, created, isFirstInvoice, purchase } = event
  const now = await setFirstDefaultCard(cards, { customerId, since: created * 1000 })
  if (!isDone(now) || now.value.id === null || now.value.because !== 'paid') return
  const buyer = isFirstInvoice ? principalIdSchema.safeParse(purchase?.user_id).data : undefined
  await recordCard(deps, account.organizationId, {
    change: 'default_changed',
    card: now.value.id,
    actor: actorOf(buyer ?? null),
  })
}

/** Who caused an event; the gateway if no user is known. */
function actorOf(by: PrincipalId | null): AuditActor {
  return by === null ? { type: 'gateway', id: null } : byPrincipal(by)
}

/** Forgets the customer when none of its subscriptions holds a slot. Until then it throws, and the gateway sends the event again. */
async function projectDeletedCustomer(deps: ProjectionDeps, event: EventOf<'customer_deleted'>): Promise<void> {
  const account = await matchAccount(deps.records, event)
  if (!account?.customer) return ignoreEvent(deps, 'customer.deleted', 'not ours')
  const forgotten = await deps.records.unbindCustomer(account.organizationId, account.customer)
  if (!forgotten) throw new BillingError('gateway_unavailable', { message: 'A slot is still held' })
}

/**
 * False if the card or customer no longer exists: nothing is left to do. After any other refusal the gateway sends the event again.
 * @throws BillingError `gateway_unavailable`
 */
function isDone<Value>(answer: GatewayAnswer<Value>): answer is Extract<GatewayAnswer<Value>, { kind: 'ok' }> {
  if (answer.kind === 'ok') return true
  if (answer.kind === 'refused' && (answer.reason === 'not_found' || answer.reason === 'customer_missing')) return false
  throw new BillingError('gateway_unavailable')
}

/**
 * Projects a verified event, and logs how old it was when it arrived.
 * @returns whether everything it reports is committed; if false, the gateway has to send it again
 */
export async function receiveEvent(deps: ProjectionDeps, event: GatewayEvent): Promise<boolean> {
  const { kind, created } = event
  const lagSeconds = Math.max(0, Math.round(deps.clock.now() / 1000 - created))
  deps.logger.info('Event received', { kind, lagSeconds })
  try {
    await projectEvent(deps, event)
    return true
  } catch (error) {
    deps.logger.error('Event not recorded', { reason: reasonOf(error) })
    return false
  }
}
