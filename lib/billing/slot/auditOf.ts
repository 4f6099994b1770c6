import { createHash } from 'node:crypto'
import { secondsToRfc3339 } from '../../core/clock.ts'
import {
  apiClientIdSchema,
  type OrganizationId,
  type PrincipalId,
  principalIdSchema,
  serviceClientIdSchema,
} from '../../core/ids.ts'
import type { AuditActor, AuditChange, AuditDone, AuditEntry } from '../../organizations/ports.ts'
import { planCodes } from '../catalog.ts'
import { type GatewaySubscription, isEnded, isLive, type RequestedChange } from '../gateway/subscription.ts'
import { isFree, productCode, type Slot } from './slot.ts'

type Done = AuditDone & Pick<AuditEntry, 'actor'>

/** How long a change of status counts as the payer's act, in milliseconds. After that the gateway may have retried by itself. */
const PAYING = 3_600_000

const gateway: AuditActor = { type: 'gateway', id: null }

/**
 * What the audit log says of a slot's write; nothing if the write changes neither money nor access. A purchase counts when it is live, or
 * if it was paid and has ended since. The same slot and subscription give the same entries: whether a request writes its change or the
 * event about that change does, the log says the same.
 * @param before the slot as it was read
 * @param next the slot as it is written
 * @param latest the subscription that `next` was made from
 * @param now Unix milliseconds
 */
export function auditOf(before: Slot, next: Slot, latest: GatewaySubscription, now: number): AuditEntry[] {
  const known = before.subscription?.id === latest.id ? before.subscription : undefined
  if (known && isFree(before) && isEnded(latest.status)) return []
  const wasLive = known !== undefined && isLive(known.status)
  if (!wasLive && !isBought(latest)) return []
  const done = [
    ...(wasLive ? [] : [purchased(before, next, latest)]),
    ...endMoved(wasLive ? known.cancelAt : null, latest),
    ...(wasLive ? moved(known, latest, payerAt(before, now)) : []),
    ...(isEnded(latest.status) ? [canceled(latest)] : []),
  ]
  // A millisecond apart, so that their order shows.
  return done.map((each, index) => slotEntry(next, each, now + index))
}

/** An entry about a slot's subscription. The same write has the same entry id. */
export function slotEntry(next: Slot, { actor, ...done }: Done, at: number): AuditEntry {
  const { organizationId, product, n, rev } = next
  const id = entryId(`${productCode(next)} ${n} ${rev} ${done.action} ${at}`)
  return { organizationId, id, at, actor, ...done, target: product }
}

function isBought({ status, wasPaid }: GatewaySubscription): boolean {
  return isLive(status) || (isEnded(status) && wasPaid)
}

function purchased(before: Slot, { coupon, n }: Slot, latest: GatewaySubscription): Done {
  const { product } = before
  const detail = { plan_code: planCodes[product], status: latest.status, coupon_code: coupon?.code ?? null, n }
  return { action: 'subscription.purchased', actor: buyerOf(before, latest), detail }
}

/** Who bought it; the gateway if this slot's purchase did not buy the subscription, which was then found there. */
function buyerOf({ state, claim }: Slot, { purchase }: GatewaySubscription): AuditActor {
  const buyer = state === 'incomplete' ? principalIdSchema.safeParse(purchase?.user_id).data : claim?.userId
  return buyer === undefined ? gateway : byPrincipal(buyer)
}

/** An entry if its end was scheduled, moved, or taken back. */
function endMoved(from: number | null, latest: GatewaySubscription): Done[] {
  const { cancelAt } = latest
  if (cancelAt === from || isEnded(latest.status)) return []
  if (cancelAt === null) {
    return [{ action: 'subscription.resumed', actor: actorOf(latest, 'resume'), detail: {} }]
  }
  const actor = from === null ? actorOf(latest, 'schedule') : gateway
  const detail = { cancel_at: secondsToRfc3339(cancelAt), ...(from === null && reasonOf(latest, 'schedule')) }
  return [{ action: 'subscription.cancellation_scheduled', actor, detail }]
}

/** The payer of the slot's open invoice; undefined if that request wrote its fence long ago and was then cut off. */
function payerAt({ payer }: Slot, now: number): Slot['payer'] {
  return payer && now - payer.since <= PAYING ? payer : undefined
}

function moved(from: NonNullable<Slot['subscription']>, latest: GatewaySubscription, payer: Slot['payer']): Done[] {
  const { status, currentPeriodEnd } = latest
  if (isEnded(status)) return []
  if (status !== from.status) {
    // If an unpaid subscription becomes active while a user is paying for it, that user paid.
    const actor = payer && status === 'active' ? byPrincipal(payer.userId) : gateway
    return [{ action: 'subscription.status_changed', actor, detail: { from: from.status, to: status } }]
  }
  if ((currentPeriodEnd ?? 0) <= (from.currentPeriodEnd ?? 0)) return []
  const detail = { period_end: secondsToRfc3339(currentPeriodEnd) }
  return [{ action: 'subscription.renewed', actor: gateway, detail }]
}

function canceled(latest: GatewaySubscription): Done {
  const detail = { ended_at: secondsToRfc3339(latest.endedAt), ...reasonOf(latest, 'cancel') }
  return { action: 'subscription.canceled', actor: actorOf(latest, 'cancel'), detail }
}

/** The user who asked for this change; the gateway if no user asked for it here. */
function actorOf({ requested }: GatewaySubscription, change: RequestedChange['change']): AuditActor {
  return requested?.change === change ? byPrincipal(requested.by) : gateway
}

/** The reason that the user gave for this change; nothing if there is none. */
function reasonOf({ requested }: GatewaySubscription, change: RequestedChange['change']) {
  return requested?.change === change && requested.reason !== undefined ? { reason: requested.reason } : {}
}

/** The id of an audit entry: a UUID of version 8 (RFC 9562 §5.8) made from a text, so that the same change has the same entry. */
function entryId(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}

/**
 * An audit entry about data of an organization that only the gateway keeps, for `recordAccountChange`.
 * @param at Unix milliseconds
 */
export function accountEntry(
  organizationId: OrganizationId,
  done: AuditChange & Pick<AuditEntry, 'actor'>,
  at: number,
): AuditEntry {
  const { action, actor, target } = done
  const id = entryId(`${organizationId} ${action} ${target} ${actor.type} ${actor.id} ${at}`)
  return { organizationId, id, at, ...done }
}

/** Who made a change, as the audit log names them. */
export function byPrincipal(id: PrincipalId): AuditActor {
  if (serviceClientIdSchema.safeParse(id).success) return { type: 'service', id }
  return { type: apiClientIdSchema.safeParse(id).success ? 'client' : 'user', id }
}
