import type { Card, Invitation, Organization, Subscription } from '../app/types.ts'
import { isExpired } from '../billing/cards/cardName.ts'
import type { OpenInvoice } from '../billing/invoices/openInvoices.ts'
import { may } from '../organizations/permissions.ts'

/** Something that a person has to do, or is about to lose. */
export type Attention =
  | { readonly kind: 'deletion'; readonly at: string }
  | { readonly kind: 'payment'; readonly subscription: Subscription }
  | { readonly kind: 'invoice'; readonly invoice: OpenInvoice }
  | { readonly kind: 'card_expiry'; readonly card: Card; readonly isExpired: boolean }
  | { readonly kind: 'expired_invitation'; readonly invitation: Invitation }
  | { readonly kind: 'open_invitations'; readonly count: number }

/** What an organization's pages have read so far. Empty lists for what is not known, or not the role's to see. */
interface Known {
  readonly organization: Pick<Organization, 'role' | 'deletion_at'>
  readonly subscriptions: readonly Subscription[]
  readonly openInvoices: readonly OpenInvoice[]
  readonly cards: readonly Card[]
  readonly invitations: readonly Invitation[]
}

/** What needs attention, the most urgent first: only what the role can do something about, and the end of the organization. */
export function attentionOf(known: Known, now: Date): readonly Attention[] {
  const { organization, subscriptions, openInvoices, cards, invitations } = known
  const { role, deletion_at } = organization
  const found: Attention[] = []
  if (deletion_at !== null) found.push({ kind: 'deletion', at: deletion_at })
  if (may(role, 'buy')) {
    for (const subscription of subscriptions)
      if (needsPayment(subscription)) found.push({ kind: 'payment', subscription })
    for (const invoice of openInvoices) found.push({ kind: 'invoice', invoice })
    if (subscriptions.some(isChargedAgain)) found.push(...cards.flatMap((card) => expiryOf(card, now)))
  }
  if (may(role, 'manage members')) {
    const expired = invitations.filter(({ expires_at }) => Date.parse(expires_at) <= now.getTime())
    for (const invitation of expired) found.push({ kind: 'expired_invitation', invitation })
    const count = invitations.length - expired.length
    if (count > 0) found.push({ kind: 'open_invitations', count })
  }
  return found
}

/** A payment with a card. What is paid by invoice has an open invoice of its own. */
function needsPayment({ action }: Subscription): boolean {
  return action === 'confirm_payment' || action === 'update_payment_method'
}

function isChargedAgain({ gateway, status, cancel_at }: Subscription): boolean {
  return gateway === 'card' && cancel_at === null && ['trialing', 'active', 'past_due'].includes(status)
}

/** The default card if it expires this month or next, or has expired. */
function expiryOf(card: Card, now: Date): Attention[] {
  const afterNextMonth = new Date(now.getFullYear(), now.getMonth() + 2, 1)
  if (!card.is_default || !isExpired(card, afterNextMonth)) return []
  return [{ kind: 'card_expiry', card, isExpired: isExpired(card, now) }]
}
