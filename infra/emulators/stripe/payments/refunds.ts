import type Stripe from 'stripe'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { nulls } from '../params/words.ts'
import { change, create, emit, previousAttributes } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import { type Context, newId } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { testCard } from './cards.ts'
import { isDisputed } from './disputes.ts'

type Charge = Wire<Stripe.Charge>

const createParams = p.paramsFor<Stripe.RefundCreateParams>()(
  {
    amount: p.integer(1).optional(),
    charge: p.text().optional(),
    metadata: p.metadata().optional(),
    payment_intent: p.text().optional(),
    reason: p.word(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  },
  ['currency', 'customer', 'instructions_email', 'origin', 'refund_application_fee', 'reverse_transfer'],
)
const updateParams = p.paramsFor<Stripe.RefundUpdateParams>()({ metadata: p.metadata().optional() })
const listParams = p.paramsFor<Stripe.RefundListParams>()({
  ...listShape,
  charge: p.text().optional(),
  payment_intent: p.text().optional(),
})

function chargeToRefund(context: Context, sent: p.ParsedBy<typeof createParams>): Charge {
  if (sent.charge !== undefined) return requireRow(context, 'charges', sent.charge, 'charge')
  if (sent.payment_intent === undefined) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    )
  }
  const intent = requireRow(context, 'payment_intents', sent.payment_intent, 'payment_intent')
  const charge = intent.latest_charge === null ? undefined : context.store.get('charges', intent.latest_charge)
  if (charge !== undefined && charge.status === 'succeeded') return charge
  throw invalidRequest('This PaymentIntent does not have a successful charge to refund.')
}

/** Seconds after which the refund of a test card for refunds ends; Stripe says "some time later". */
const refundEndsAfterSeconds = 3600

/** Refunds part of a charge; 400 when the charge failed or has less left. */
export function refundCharge(
  context: Context,
  charge: Charge,
  wanted: number | undefined,
  terms: { reason: Wire<Stripe.Refund>['reason']; metadata: Record<string, string> },
): Wire<Stripe.Refund> {
  if (charge.status !== 'succeeded')
    throw invalidRequest(`Charge ${charge.id} cannot be refunded.`, 'charge_not_refundable')
  if (isDisputed(context, charge.id)) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  }
  const left = charge.amount - charge.amount_refunded
  if (left === 0) throw invalidRequest(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
  const amount = wanted ?? left
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`
    throw invalidRequest(message, undefined, 'amount')
  }
  const refund: Wire<Stripe.Refund> = {
    id: newId(context, 'refunds'),
    object: 'refund',
    ...nulls('balance_transaction customer_account receipt_number source_transfer_reversal transfer_reversal'),
    amount,
    charge: charge.id,
    created: context.now,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: terms.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: terms.reason,
    status: endOf(context, charge) === 'is_pending' ? 'pending' : 'succeeded',
  }
  create(context, 'refunds', refund, 'refund.created')
  const refunded = change(context, 'charges', charge, {
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  })
  emit(context, 'charge.refunded', refunded, { amount_refunded: charge.amount_refunded, refunded: charge.refunded })
  return refund
}

function createRefund(context: Context, sent: p.ParsedBy<typeof createParams>): Wire<Stripe.Refund> {
  const charge = chargeToRefund(context, sent)
  const terms = { reason: sent.reason ?? null, metadata: p.mergeMetadata({}, sent.metadata) }
  return refundCharge(context, charge, sent.amount, terms)
}

/** How the refunds of a payment end some time later; undefined if they are done at once. */
function endOf({ store }: Pick<Context, 'store'>, paid: { payment_method?: string | null | undefined }) {
  return paid.payment_method == null
    ? undefined
    : testCard(store.get('cards', paid.payment_method)?.card ?? 'visa').refund
}

/**
 * The time at which the refund of `pm_card_refundFail` fails or that of `pm_card_pendingRefund` succeeds; undefined for any other refund,
 * and when that has happened (https://docs.stripe.com/testing#refunds).
 */
export function refundEndsAt(context: Pick<Context, 'store'>, refund: Wire<Stripe.Refund>): number | undefined {
  const before = { fails: 'succeeded', is_pending: 'pending' }
  const end = endOf(context, refund)
  return end !== undefined && refund.status === before[end] ? refund.created + refundEndsAfterSeconds : undefined
}

/** Ends a refund as its test card has it. */
export function endRefund(context: Context, refund: Wire<Stripe.Refund>): void {
  if (refund.status === 'pending') changeRefund(context, refund, { status: 'succeeded' })
  else failRefund(context, refund)
}

/** Changes a refund and emits `refund.updated` and `charge.refund.updated`. */
function changeRefund(context: Context, refund: Wire<Stripe.Refund>, patch: Partial<Wire<Stripe.Refund>>) {
  const changed = change(context, 'refunds', refund, patch, 'refund.updated')
  if (changed !== refund) emit(context, 'charge.refund.updated', changed, previousAttributes(refund, changed))
  return changed
}

/** Marks a refund as failed, and its charge as not refunded. */
function failRefund(context: Context, refund: Wire<Stripe.Refund>): void {
  const failed = { status: 'failed', failure_reason: 'expired_or_canceled_card' }
  change(context, 'refunds', refund, failed, 'refund.failed')
  const charge = refund.charge === null ? undefined : context.store.get('charges', refund.charge)
  if (charge === undefined) return
  const patch = { amount_refunded: charge.amount_refunded - refund.amount, refunded: false }
  change(context, 'charges', charge, patch, 'charge.updated')
}

/** Endpoints of https://docs.stripe.com/api/refunds. */
export const refundRoutes = resourceRoutes('refunds', {
  create: { params: createParams, run: createRefund },
  list: { params: listParams, same: ['charge', 'payment_intent'] },
  update: {
    params: updateParams,
    run: (context, refund, { metadata }) =>
      changeRefund(context, refund, { metadata: p.mergeMetadata(refund.metadata ?? {}, metadata) }),
  },
})
