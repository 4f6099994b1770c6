import type Stripe from 'stripe'
import { nulls, words } from '../params/words.ts'
import { change, create, emit } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { type Context, newId } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'

type Dispute = Wire<Stripe.Dispute>
type Charge = Wire<Stripe.Charge>

/** Why a cardholder disputes a charge: https://docs.stripe.com/disputes/categories. */
export const disputeReasons = words(
  'credit_not_processed duplicate fraudulent general product_not_received product_unacceptable',
  'subscription_canceled unrecognized',
)

/** Terms of a new dispute; `amount` in cents, the whole charge if it is left out. */
export interface DisputeTerms {
  reason: (typeof disputeReasons)[number]
  amount?: number | undefined
  /** Whether the bank only asks, and takes no money yet (https://docs.stripe.com/disputes/how-disputes-work#inquiries). */
  inquiry?: boolean | undefined
}

/** Seconds in which a dispute has to be answered; the emulator closes none by itself. */
const answeredWithinSeconds = 9 * 86_400

/** The evidence of a dispute that was not answered. */
export const noEvidence: Wire<Stripe.Dispute.Evidence> = {
  enhanced_evidence: {},
  ...nulls(
    'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure',
    'cancellation_rebuttal customer_communication customer_email_address customer_name',
    'customer_purchase_ip customer_signature duplicate_charge_documentation',
    'duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy',
    'refund_policy_disclosure refund_refusal_explanation service_date service_documentation',
    'shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number',
    'uncategorized_file uncategorized_text',
  ),
}

/** Opens a dispute of a charge and emits `charge.dispute.created` and, unless it is an inquiry, `charge.dispute.funds_withdrawn`. */
export function openDispute(context: Context, charge: Charge, terms: DisputeTerms): Dispute {
  const { store, now } = context
  const dispute: Dispute = {
    id: newId(context, 'disputes'),
    object: 'dispute',
    amount: terms.amount ?? charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: now + answeredWithinSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: terms.inquiry ?? false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: terms.reason,
    status: terms.inquiry ? 'warning_needs_response' : 'needs_response',
  }
  store.put('charges', { ...charge, disputed: true })
  create(context, 'disputes', dispute, 'charge.dispute.created')
  if (!terms.inquiry) emit(context, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** Disputes a charge as its cardholder would. Throws a 400 if the charge was not paid, is disputed already or is smaller. */
export function disputeCharge(context: Context, id: string, terms: DisputeTerms): Dispute {
  const charge = requireRow(context, 'charges', id, 'charge')
  if (charge.status !== 'succeeded' || charge.disputed) {
    throw invalidRequest(`Charge ${id} cannot be disputed: it failed or is disputed already.`, undefined, 'charge')
  }
  if ((terms.amount ?? 0) > charge.amount)
    throw invalidRequest(`A dispute of ${id} is at most ${charge.amount}.`, undefined, 'amount')
  return openDispute(context, charge, terms)
}

/** Whether a dispute is not decided yet. */
export function isOpen({ status }: Dispute): boolean {
  return ['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review'].includes(status)
}

/** Whether the bank only asks, or has only asked. */
export function isInquiry({ status }: Pick<Dispute, 'status'>): boolean {
  return status.startsWith('warning_')
}

/** Whether a charge is disputed at present, or was charged back. */
export function isDisputed({ store }: Context, charge: string): boolean {
  return store
    .all('disputes')
    .some((row) => row.charge === charge && !isInquiry(row) && (isOpen(row) || row.status === 'lost'))
}

/**
 * Ends an open dispute and emits `charge.dispute.closed`, and if won `charge.dispute.funds_reinstated`. An inquiry is closed either way, and
 * no money comes back. Throws a 400 if it is closed.
 */
export function endDispute(context: Context, id: string, status: 'won' | 'lost'): Dispute {
  const dispute = requireRow(context, 'disputes', id)
  if (!isOpen(dispute)) throw invalidRequest(`This dispute is already closed as ${dispute.status}.`)
  const patch = { status: isInquiry(dispute) ? ('warning_closed' as const) : status }
  const closed = change(context, 'disputes', dispute, patch, 'charge.dispute.closed')
  if (closed.status === 'won') emit(context, 'charge.dispute.funds_reinstated', closed)
  return closed
}
