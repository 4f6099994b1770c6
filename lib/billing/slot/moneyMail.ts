import type { OrganizationId } from '../../core/ids.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import type { Product } from '../catalog.ts'
import type { Card } from '../gateway/gatewayPorts.ts'
import { type GatewaySubscription, openPaymentOf, type RecurringPrice } from '../gateway/subscription.ts'
import type { Slot } from './slot.ts'

/** What a mail of money is about. Times are Unix seconds. */
export type MoneyFact =
  | { kind: 'bought'; product: Product; price?: RecurringPrice }
  /** `endsAt`: the end of the paid period; null if it has ended. */
  | { kind: 'canceled'; product: Product; endsAt: number | null }
  /** A renewal that a card did not pay. `charge`: what is open, and when the gateway tries again. */
  | { kind: 'payment_failed'; product: Product; charge?: { amount: number; currency: string; at: number } }
  /** `page`: the gateway's page of the invoice, which opens without signing in. */
  | { kind: 'invoice_sent'; product: Product; page: string | null }
  /** Cards that pay, and that are valid for the last time in this month (`2027-01`). */
  | { kind: 'card_expiring'; month: string }

/** A mail that an organization gets about its money, stored with the fact until it is sent. It has no address and no card in it. */
export interface MoneyMail {
  organizationId: OrganizationId
  /** Names the fact within its organization. */
  id: string
  /** When the fact was recorded; Unix milliseconds. */
  at: number
  fact: MoneyFact
}

/** What the gateway did on its own this long ago is no news: the record was behind, as after a restore. */
const NEWS = 3 * 86_400

/**
 * The mails that a slot's write causes: each with an entry of the audit log, so a fact has the same mail, whether a request writes it or an event.
 * @param entries what the audit log says of the write
 * @param now Unix milliseconds
 */
export function moneyMailsOf(
  before: Slot,
  next: Slot,
  latest: GatewaySubscription,
  { entries, now }: { entries: readonly AuditEntry[]; now: number },
): MoneyMail[] {
  const { organizationId } = next
  const said = entries.flatMap((entry) => {
    const fact = factOf(entry, before, next, latest)
    return fact && isNews(entry, latest, now) ? [{ organizationId, id: entry.id, at: now, fact }] : []
  })
  return [...said, ...sentInvoice(before, next, latest, now)]
}

function factOf(
  { action, detail }: AuditEntry,
  before: Slot,
  { product, subscription }: Slot,
  latest: GatewaySubscription,
): MoneyFact | undefined {
  const known = before.subscription?.id === latest.id ? before.subscription : undefined
  switch (action) {
    case 'subscription.purchased':
      return { kind: 'bought', product, ...(subscription?.price && { price: subscription.price }) }
    case 'subscription.cancellation_scheduled':
      // A person moved the end at the gateway.
      return known?.cancelAt == null ? { kind: 'canceled', product, endsAt: latest.cancelAt } : undefined
    case 'subscription.canceled':
      return endedAsScheduled(known?.cancelAt, latest) ? undefined : { kind: 'canceled', product, endsAt: null }
    case 'subscription.status_changed':
      return isFailure(detail.from) || !isFailure(detail.to) || openPaymentOf(latest) === 'invoice_open'
        ? undefined
        : { kind: 'payment_failed', product, ...chargeOf(latest) }
    default:
      return undefined
  }
}

/** If it ended when it was to end, the mail was sent when that was scheduled. */
function endedAsScheduled(cancelAt: number | null | undefined, { endedAt }: GatewaySubscription): boolean {
  return cancelAt != null && (endedAt ?? cancelAt) > cancelAt - 3600
}

function isFailure(status: string): boolean {
  return status === 'past_due' || status === 'unpaid'
}

function chargeOf({ nextCharge, price }: GatewaySubscription) {
  return nextCharge && price ? { charge: { ...nextCharge, currency: price.currency } } : {}
}

function isNews({ action, actor }: AuditEntry, { createdAt, endedAt }: GatewaySubscription, now: number): boolean {
  const since = action === 'subscription.purchased' ? createdAt : action === 'subscription.canceled' ? endedAt : null
  return actor.type !== 'gateway' || since === null || since > now / 1000 - NEWS
}

/** A mail about an invoice that the gateway sent and that the record did not show as open. */
function sentInvoice(
  before: Slot,
  { organizationId, product, n, rev, subscription }: Slot,
  latest: GatewaySubscription,
  now: number,
): MoneyMail[] {
  if (openPaymentOf(latest) !== 'invoice_open') return []
  const page = subscription?.hostedInvoiceUrl ?? null
  const isKnown = before.subscription?.id === latest.id && before.subscription.payment === 'invoice_open'
  // A list does not show the page.
  if (isKnown && (page === null || (before.subscription?.hostedInvoiceUrl ?? page) === page)) return []
  return [
    {
      organizationId,
      id: `invoice_sent:${product}:${n}:${rev}`,
      at: now,
      fact: { kind: 'invoice_sent', product, page },
    },
  ]
}

/** The mail about cards that expire at the end of a month (`2027-01`): once for each organization and month. */
export function cardExpiringMail(organizationId: OrganizationId, month: string, now: number): MoneyMail {
  return { organizationId, id: `card_expiring:${month}`, at: now, fact: { kind: 'card_expiring', month } }
}

/** The month at whose end a card expires: `2027-01`. */
export function lastMonthOf({ expMonth, expYear }: Pick<Card, 'expMonth' | 'expYear'>): string {
  return `${expYear}-${String(expMonth).padStart(2, '0')}`
}
