import { planCodes } from './catalog.ts'
import type { GatewayAnswer, RefusalReason } from './gatewayAnswer.ts'
import type { BillingDeps } from './ports.ts'
import type { Slot } from './slot.ts'
import type { GatewaySubscription } from './subscription.ts'
import { LEASE_MARGIN, QUIET_PERIOD, REPLAY_WINDOW } from './timing.ts'

/** What a purchase came to. Only `subscription`, `refused` and `absent` move the slot; `unknown` is never a refusal. */
export type Outcome =
  | { kind: 'subscription'; subscription: GatewaySubscription }
  | { kind: 'refused'; reason: RefusalReason; declineCode?: string }
  /** It was never carried out, and can no longer be. */
  | { kind: 'absent' }
  | { kind: 'unknown' }

/**
 * How a claimed purchase goes on, decided when it was claimed: a new one is sent; one that an earlier request may have sent
 * is replayed under its key while the gateway surely remembers it, and only looked up after that.
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
  deps: Pick<BillingDeps, 'gateway' | 'clock'>,
  { slot, mode }: { slot: Slot; mode: PurchaseMode },
  customerId: string,
  deadline: number,
): Promise<Outcome> {
  const { claim } = slot
  if (!claim) return { kind: 'unknown' }
  if (mode === 'look_up') return lookUp(deps, slot, customerId)

  const answer = await deps.gateway.createSubscription(claim.frozenRequest, customerId, purchaseKey(slot), {
    sendUntil: claim.leaseUntil - LEASE_MARGIN,
    answerBy: deadline,
    resend: mode === 'replay',
  })
  if (answer.kind === 'unknown' && answer.saved) return lookUp(deps, slot, customerId)
  if (answer.kind !== 'ok' || !answer.replayed) return outcomeOf(answer)
  // A replayed answer is as old as its first sending.
  const latest = await deps.gateway.fetchSubscription(answer.value.id)
  return latest.kind === 'ok' ? outcomeOf(latest) : { kind: 'unknown' }
}

async function lookUp(deps: Pick<BillingDeps, 'gateway' | 'clock'>, slot: Slot, customerId: string): Promise<Outcome> {
  // Read before the list: only what was quiet for long enough by then is proven absent by it.
  const now = deps.clock.now()
  const found = await deps.gateway.findSubscription(customerId, {
    organization_id: slot.organizationId,
    plan_code: planCodes[slot.product],
    n: slot.n,
  })
  if (found.kind === 'ok' && found.value !== null) return { kind: 'subscription', subscription: found.value }
  const surelyNotThere = found.kind === 'ok' || (found.kind === 'refused' && found.reason === 'customer_missing')
  return surelyNotThere && canNoLongerArrive(slot, now) ? { kind: 'absent' } : { kind: 'unknown' }
}

/** Too old for its key and quiet for long enough that nothing sent can still be on its way. */
function canNoLongerArrive({ claim }: Slot, now: number): boolean {
  return claim !== undefined && now - claim.firstSent >= REPLAY_WINDOW && now - claim.lastSent > QUIET_PERIOD
}

function outcomeOf(answer: GatewayAnswer<GatewaySubscription>): Outcome {
  switch (answer.kind) {
    case 'ok':
      return { kind: 'subscription', subscription: answer.value }
    case 'refused':
      return answer
    case 'unknown':
      return { kind: 'unknown' }
  }
}
