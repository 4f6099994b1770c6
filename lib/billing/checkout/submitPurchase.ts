import { planCodes } from '../catalog.ts'
import type { GatewayAnswer, RefusalReason } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { PaymentGateway } from '../gateway/gatewayPorts.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import type { BillingDeps } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'
import { LEASE_MARGIN, QUIET_PERIOD, REPLAY_WINDOW } from '../timing.ts'

/** What a purchase came to. Only `subscription`, `refused` and `absent` move the slot; `unknown` is never a refusal. */
export type Outcome =
  | { kind: 'subscription'; subscription: GatewaySubscription }
  | { kind: 'refused'; reason: RefusalReason; declineCode?: string }
  /** It was never executed, and can no longer be. */
  | { kind: 'absent' }
  /** Nothing of a new purchase was executed; the gateway did not refuse it. */
  | { kind: 'not_executed' }
  /** What was learned of the key: whether this call's attempts count, and whether a failure is stored under it. */
  | { kind: 'unknown'; notExecuted?: true; saved?: true }

/**
 * How a claimed purchase is submitted, decided when it was claimed: a new one is sent; the same request replays its key while
 * the gateway surely remembers it; everything else is only looked up.
 */
export type PurchaseMode = 'send' | 'replay' | 'look_up'

/** The idempotency key of a purchase: from the claim, never from the request and never from chance. */
function purchaseKey({ organizationId, product, n }: Slot): string {
  return `sub:${organizationId}:${product}:${n}`
}

/**
 * Sends the purchase of a claimed slot, or finds out what became of it. The gateway's list is also read when it answers
 * with a failure that it stored under the key, for repeating the key could only repeat that.
 * @param deadline Unix milliseconds by which the answer must be there
 */
export async function submitPurchase(
  deps: Pick<BillingDeps, 'gateways' | 'clock'>,
  { slot, mode, sentBefore }: { slot: Slot; mode: PurchaseMode; sentBefore: number },
  customerId: string,
  deadline: number,
): Promise<Outcome> {
  const { claim } = slot
  if (!claim) return { kind: 'unknown' }
  if (mode === 'look_up') return lookUp(deps, slot, customerId)

  const answer = await gatewayOf(deps.gateways, slot).purchases.createSubscription(
    claim.frozenRequest,
    customerId,
    purchaseKey(slot),
    {
      sendUntil: claim.leaseUntil - LEASE_MARGIN,
      answerBy: deadline,
      resend: mode === 'replay',
    },
  )
  if (answer.kind === 'unknown' && answer.saved) return afterStoredFailure(await lookUp(deps, slot, customerId))
  if (answer.kind === 'unknown' && answer.notExecuted) {
    if (mode === 'send') return { kind: 'not_executed' }
    // This call's attempts do not count: only an earlier one may have been executed.
    const found = await lookUp(deps, { ...slot, claim: { ...claim, lastSent: sentBefore } }, customerId)
    return found.kind === 'unknown' ? { kind: 'unknown', notExecuted: true } : found
  }
  if (answer.kind !== 'ok' || !answer.replayed) return outcomeOf(answer)
  // A replayed answer is as old as its first sending.
  const latest = await gatewayOf(deps.gateways, slot).purchases.fetchSubscription(answer.value.id)
  return latest.kind === 'ok' ? outcomeOf(latest) : { kind: 'unknown' }
}

/** The gateway may still roll a stored failure forward, so that nothing is absent for certain yet. */
function afterStoredFailure(found: Outcome): Outcome {
  return found.kind === 'subscription' ? found : { kind: 'unknown', saved: true }
}

/** Searches the gateway's list for the purchase of a slot, and decides whether it can still arrive there. */
export async function lookUp(
  deps: Pick<BillingDeps, 'gateways' | 'clock'>,
  slot: Slot,
  customerId: string,
): Promise<Outcome> {
  // Read before the list: only what was quiet for long enough by then is proven absent by it.
  const now = deps.clock.now()
  const purchase = { organization_id: slot.organizationId, plan_code: planCodes[slot.product], n: slot.n }
  const gateway = gatewayOf(deps.gateways, slot)
  const found = await gateway.purchases.findSubscription(customerId, purchase, slot.claim?.frozenRequest ?? '{}')
  if (found.kind === 'ok' && found.value !== null) return { kind: 'subscription', subscription: found.value }
  if (!canNoLongerArrive(slot, now)) return { kind: 'unknown' }
  return found.kind === 'ok' || (await isDeleted(gateway, found, customerId)) ? { kind: 'absent' } : { kind: 'unknown' }
}

/** An error that names the customer may come from a wrong key or mode: only the customer itself shows that it is deleted. */
async function isDeleted(
  { customers }: PaymentGateway,
  found: GatewayAnswer<unknown>,
  customerId: string,
): Promise<boolean> {
  if (found.kind !== 'refused' || found.reason !== 'customer_missing') return false
  const customer = await customers.fetchCustomer(customerId)
  return customer.kind === 'ok' && customer.value.deleted
}

/** Quiet for long enough that nothing sent is still on its way, and no stored failure left that may be rolled forward. */
export function canNoLongerArrive({ claim }: Slot, now: number): boolean {
  if (claim === undefined || now - claim.lastSent <= QUIET_PERIOD) return false
  return claim.savedAt === undefined || now - claim.savedAt >= REPLAY_WINDOW
}

function outcomeOf(answer: GatewayAnswer<GatewaySubscription>): Outcome {
  switch (answer.kind) {
    case 'ok':
      return { kind: 'subscription', subscription: answer.value }
    case 'refused':
      return answer
    case 'unknown':
      return { kind: 'unknown', ...(answer.notExecuted && { notExecuted: true }) }
  }
}
