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
import { fencedForPayment, isOf, type Payer, type Slot, type SubscribedSlot } from './slot.ts'
import { recordSubscription, type Synchronized } from './synchronizeSlot.ts'

type PayDeps = Pick<BillingDeps, 'records' | 'gateways' | 'clock'> & { ids: Pick<Ids, 'uuid'> }

/** Who pays which invoice, and how. */
export interface InvoicePayment {
  userId: PrincipalId
  /** The subscription's own card, or else the customer's default, if none is named. */
  paymentMethodId: string | undefined
  /** A request that names a coupon pays only what was bought with it: the open invoice cannot take another one. */
  couponCode?: string | undefined
  /** The states of a subscription whose open invoice is paid. */
  states: readonly SubscriptionState[]
}

/** What came of a payment. `slot` is as it is stored now, `latest` the gateway's last answer. */
export type PaymentResult =
  /** `paid`: no payment is wanted any more. `accepted`: the gateway took the payment, and does not show its effect yet. */
  | { kind: 'paid' | 'accepted'; slot: SubscribedSlot; latest: GatewaySubscription }
  /** The buyer must authenticate (3-D Secure) with the client secret. */
  | { kind: 'waiting'; slot: SubscribedSlot; latest: GatewaySubscription; clientSecret: string }
  | { kind: 'nothing_to_pay'; slot: Slot; latest: GatewaySubscription }
  | { kind: 'another_coupon' }
  /** Another request pays, or changed the slot at every try. */
  | { kind: 'in_progress' }
  | { kind: 'failed'; answer: NoMoney }

type NoMoney = Exclude<GatewayAnswer<unknown>, { kind: 'ok' }>

/** How often a payment is begun again because an event wrote the slot before its fence. */
const TRIES = 4

/**
 * Pays the open invoice of a slot's subscription while its buyer is present. Each payment has a fence and an idempotency key of its own, and
 * the gateway pays no invoice twice. A payment that waits for the buyer's authentication is begun again only with another card. Whatever the
 * payment is answered, the subscription is fetched, recorded, and decides.
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
    const open = await findOpenInvoice(gateway, held.subscription.id, payment.states)
    if (open.kind === 'failed') return open
    const { latest, invoice } = open
    if (!invoice) return { kind: 'nothing_to_pay', ...(await recordIfNew(deps, held, latest)) }
    if (namesAnotherCoupon(payment, held)) return { kind: 'another_coupon' }
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

/** Whether a payment is wanted for a subscription to become active, or active again. */
export const unpaidStates: readonly SubscriptionState[] = ['incomplete', 'past_due', 'unpaid']

/** Whether a request names another coupon than the one that the purchase was made with. */
export function namesAnotherCoupon({ couponCode }: Pick<InvoicePayment, 'couponCode'>, { coupon }: Slot): boolean {
  if (couponCode === undefined || couponCode === coupon?.id) return false
  return couponCode.toLowerCase() !== coupon?.code.toLowerCase()
}

type OpenInvoice =
  | { kind: 'found'; latest: GatewaySubscription; invoice: UnpaidInvoice | null }
  | { kind: 'failed'; answer: NoMoney }

/** The invoice to pay: the latest if it is open. Of an `unpaid` subscription later invoices are drafts: then the newest open or draft one. */
async function findOpenInvoice(
  { purchases, invoices }: PaymentGateway,
  subscriptionId: string,
  states: readonly SubscriptionState[],
): Promise<OpenInvoice> {
  const fetched = await purchases.fetchSubscription(subscriptionId)
  if (fetched.kind !== 'ok') return { kind: 'failed', answer: fetched }
  const latest = fetched.value
  const { status, invoiceId, payment } = latest
  if (!states.includes(status)) return { kind: 'found', latest, invoice: null }
  if (status === 'incomplete' || payment.kind !== 'none') {
    return { kind: 'found', latest, invoice: invoiceId === null ? null : { id: invoiceId, isDraft: false, payment } }
  }
  const found = await invoices.findUnpaidInvoice(latest.id)
  return found.kind === 'ok' ? { kind: 'found', latest, invoice: found.value } : { kind: 'failed', answer: found }
}

/** The client secret, if the buyer is asked to authenticate the very card that this request names, or names none. */
function secretFor(payment: PaymentOutcome, { paymentMethodId }: InvoicePayment): string | undefined {
  if (payment.kind !== 'requires_action') return undefined
  const isNamed = paymentMethodId === undefined || paymentMethodId === payment.paymentMethodId
  return isNamed ? payment.clientSecret : undefined
}

/** A draft is opened first: its subscription waits for it to be charged. */
async function payInvoice(
  { invoices }: PaymentGateway,
  { id, isDraft }: UnpaidInvoice,
  paymentMethodId: string | undefined,
  key: string,
): Promise<GatewayAnswer<null>> {
  const opened = isDraft ? await invoices.finalizeInvoice(id) : undefined
  return opened && opened.kind !== 'ok' ? opened : invoices.payInvoice(id, paymentMethodId, key)
}

/** The idempotency key of one payment of a slot's open invoice. */
function paymentKey({ organizationId, product, n }: Slot, { owner }: Payer): string {
  return `pay:${organizationId}:${product}:${n}:${owner}`
}

/** What the subscription itself shows decides, before the answer to the payment. */
async function recordPayment(
  deps: PayDeps,
  gateway: PaymentGateway,
  fenced: SubscribedSlot,
  payment: InvoicePayment,
  paid: GatewayAnswer<null>,
): Promise<PaymentResult> {
  const after = await findOpenInvoice(gateway, fenced.subscription.id, payment.states)
  if (after.kind === 'failed') return after
  const { slot, latest } = await recordIfNew(deps, fenced, after.latest)
  if (!isOf(slot, latest.id) || isEnded(latest.status)) return { kind: 'nothing_to_pay', slot, latest }
  if (!payment.states.includes(latest.status)) return { kind: 'paid', slot, latest }
  const secret = after.invoice && secretFor(after.invoice.payment, payment)
  if (secret) return waiting({ slot, latest }, secret)
  return paid.kind === 'ok' ? { kind: 'accepted', slot, latest } : { kind: 'failed', answer: paid }
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
