import type { Ids, PrincipalId } from '../../core/ids.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { PaymentGateway, UnpaidInvoice } from '../gateway/gatewayPorts.ts'
import {
  type GatewaySubscription,
  isEnded,
  openPaymentOf,
  type PaymentOutcome,
  type SubscriptionState,
} from '../gateway/subscription.ts'
import type { BillingDeps } from './ports.ts'
import { fencedForPayment, isOf, namesAnotherCoupon, type Payer, type Slot, type SubscribedSlot } from './slot.ts'
import { recordSubscription, type Synchronized } from './synchronizeSlot.ts'

type PayDeps = Pick<BillingDeps, 'records' | 'gateways' | 'clock' | 'logger'> & { ids: Pick<Ids, 'uuid'> }

/** Who pays which invoice, and how. */
export interface InvoicePayment {
  userId: PrincipalId
  /** If undefined, the subscription's own card pays, or else the customer's default. */
  paymentMethodId: string | undefined
  /** If a request names a coupon, it pays only what was bought with that coupon: the open invoice cannot take another coupon. */
  couponCode?: string | undefined
  /** The open invoice is paid only if its subscription is in any of these states. */
  states: readonly SubscriptionState[]
}

/** What came of a payment. `slot` is as it is stored now, `latest` the gateway's last answer. */
export type PaymentResult =
  /** `paid`: no payment is wanted any more. `accepted`: the gateway took the payment, and does not show its effect yet. */
  | { kind: 'paid' | 'accepted'; slot: SubscribedSlot; latest: GatewaySubscription }
  /** The buyer must authenticate (3-D Secure) with the client secret. */
  | { kind: 'waiting'; slot: SubscribedSlot; latest: GatewaySubscription; clientSecret: string }
  | { kind: 'nothing_to_pay'; slot: Slot; latest: GatewaySubscription }
  /** The invoice was voided, or it was sold with another coupon than the request names. */
  | { kind: 'not_payable'; latest: GatewaySubscription }
  /** Another request is paying, or the slot changed at every try. */
  | { kind: 'in_progress' }
  /** The gateway refused the payment, or did not answer to it. */
  | { kind: 'failed'; answer: NotOk }
  /** The gateway did not show subscription or invoice: if a payment was sent, its outcome is not known. */
  | { kind: 'not_fetched'; answer: NotOk }

type NotOk = Exclude<GatewayAnswer<unknown>, { kind: 'ok' }>

/** How often a payment is tried when an event keeps writing the slot before its fence. */
const TRIES = 4

/**
 * Pays the open invoice of a slot's subscription while its buyer is present. Each payment has its own fence and idempotency key, and the
 * gateway pays no invoice twice. If a payment waits for the buyer's authentication, only another card begins it again. Whatever the
 * gateway answers to the payment, the subscription is then fetched and recorded, and its state decides.
 * @throws CommonError `service_unavailable`
 */
export async function payOpenInvoice(
  deps: PayDeps,
  gateway: PaymentGateway,
  slot: SubscribedSlot,
  payment: InvoicePayment,
): Promise<PaymentResult> {
  let held = slot
  for (let tries = 0; tries < TRIES; tries += 1) {
    const fetched = await fetchOf(gateway, held)
    if (fetched.kind !== 'ok') return { kind: 'not_fetched', answer: fetched }
    const latest = fetched.value
    const open = await findOpenInvoice(gateway, latest, payment.states)
    if (open.kind !== 'ok') return { kind: 'not_fetched', answer: open }
    const invoice = open.value
    if (!invoice) return { kind: 'nothing_to_pay', ...(await recordIfNew(deps, held, latest)) }
    if (latest.payment.kind === 'voided' || namesAnotherCoupon(payment.couponCode, held))
      return { kind: 'not_payable', latest }
    const secret = secretFor(invoice.payment, payment)
    if (secret) return waiting(await recordIfNew(deps, held, latest), secret)

    const payer = { owner: deps.ids.uuid(), userId: payment.userId, since: deps.clock.now() }
    const fenced = { ...fencedForPayment(held, payer), subscription: held.subscription }
    const conflict = await deps.records.commit({ next: fenced })
    if (!conflict) {
      const paid = await payInvoice(gateway, invoice, payment.paymentMethodId, paymentKey(held, payer))
      return recordPayment(deps, gateway, fenced, payment, paid)
    }
    const current = conflict.slot
    const wasEvent = current && isOf(current, latest.id) && current.payer === undefined
    if (!wasEvent) return { kind: 'in_progress' }
    held = current
  }
  return { kind: 'in_progress' }
}

function fetchOf(
  { purchases }: PaymentGateway,
  { subscription }: SubscribedSlot,
): Promise<GatewayAnswer<GatewaySubscription>> {
  return purchases.fetchSubscription(subscription.id)
}

/**
 * The invoice to pay: the latest if it is open. For `unpaid` subscriptions later invoices are drafts: then the newest open or draft invoice.
 * Null if nothing is to be paid.
 */
export async function findOpenInvoice(
  { invoices }: PaymentGateway,
  { id, status, invoiceId, payment }: GatewaySubscription,
  states: readonly SubscriptionState[],
): Promise<GatewayAnswer<UnpaidInvoice | null>> {
  const found = (value: UnpaidInvoice | null) => ({ kind: 'ok', value, replayed: false }) as const
  if (!states.includes(status)) return found(null)
  if (status !== 'incomplete' && payment.kind === 'none') return invoices.findUnpaidInvoice(id)
  return found(invoiceId === null ? null : { id: invoiceId, isDraft: false, payment })
}

/** The client secret if the buyer must authenticate, and the request names the very card in question or names none. */
function secretFor(payment: PaymentOutcome, { paymentMethodId }: InvoicePayment): string | undefined {
  if (payment.kind !== 'requires_action') return undefined
  const isNamed = paymentMethodId === undefined || paymentMethodId === payment.paymentMethodId
  return isNamed ? payment.clientSecret : undefined
}

/** If the invoice is a draft, opens it first: its subscription waits until the draft is charged. */
async function payInvoice(
  { invoices }: PaymentGateway,
  { id, isDraft }: UnpaidInvoice,
  paymentMethodId: string | undefined,
  key: string,
): Promise<GatewayAnswer<null>> {
  const opened = isDraft ? await invoices.finalizeInvoice(id) : undefined
  return opened && opened.kind !== 'ok' ? opened : invoices.payInvoice(id, paymentMethodId, key)
}

/** The idempotency key of a single payment of a slot's open invoice. */
function paymentKey({ organizationId, product, n }: Slot, { owner }: Payer): string {
  return `pay:${organizationId}:${product}:${n}:${owner}`
}

/** The subscription itself decides. Only if it still wants a payment does the answer to the payment count. */
async function recordPayment(
  deps: PayDeps,
  gateway: PaymentGateway,
  fenced: SubscribedSlot,
  payment: InvoicePayment,
  paid: GatewayAnswer<null>,
): Promise<PaymentResult> {
  const fetched = await fetchOf(gateway, fenced)
  if (fetched.kind !== 'ok') return { kind: 'not_fetched', answer: fetched }
  const { slot, latest } = await recordIfNew(deps, fenced, fetched.value)
  if (!isOf(slot, latest.id) || isEnded(latest.status)) return { kind: 'nothing_to_pay', slot, latest }
  if (!payment.states.includes(latest.status)) return { kind: 'paid', slot, latest }
  const open = await findOpenInvoice(gateway, latest, payment.states)
  if (open.kind !== 'ok') return { kind: 'not_fetched', answer: open }
  const secret = open.value && secretFor(open.value.payment, payment)
  if (secret) return waiting({ slot, latest }, secret)
  if (paid.kind === 'ok') return { kind: 'accepted', slot, latest }
  // Another request ends the purchase: the refusal says nothing of the card.
  return latest.payment.kind === 'voided' ? { kind: 'not_payable', latest } : { kind: 'failed', answer: paid }
}

/** Records what was fetched if the record differs: the event of the difference may still be on its way. */
async function recordIfNew(deps: PayDeps, slot: SubscribedSlot, latest: GatewaySubscription): Promise<Synchronized> {
  const isSame = slot.state === latest.status && (slot.subscription.payment ?? null) === openPaymentOf(latest)
  return isSame && !slot.payer ? { slot, latest } : recordSubscription(deps, slot, latest)
}

/** If the slot was bought anew meanwhile, what was to be paid is over. */
function waiting({ slot, latest }: Synchronized, clientSecret: string): PaymentResult {
  return isOf(slot, latest.id)
    ? { kind: 'waiting', slot, latest, clientSecret }
    : { kind: 'nothing_to_pay', slot, latest }
}
