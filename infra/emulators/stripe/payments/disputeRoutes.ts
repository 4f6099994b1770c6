import type Stripe from 'stripe'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { change } from '../resources/events.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { endDispute, isInquiry, isOpen, noEvidence } from './disputes.ts'

type Dispute = Wire<Stripe.Dispute>

const listParams = p.paramsFor<Stripe.DisputeListParams>()({
  ...listShape,
  charge: p.text().optional(),
  payment_intent: p.text().optional(),
})
const uncoveredEvidence = Object.keys(noEvidence).filter((name) => name !== 'uncategorized_text')
const updateParams = p.paramsFor<Stripe.DisputeUpdateParams>()(
  {
    evidence: p.nested({ uncategorized_text: p.text(20_000).optional() }, uncoveredEvidence).optional(),
    metadata: p.metadata().optional(),
    submit: p.flag().optional(),
  },
  ['intended_submission_method'],
)

/** Evidence that decides a dispute in test mode as soon as it is submitted: https://docs.stripe.com/testing#disputes. */
const verdicts = new Map<string, 'won' | 'lost'>([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
])

function answerDispute(
  context: Context,
  dispute: Dispute,
  { evidence, submit, metadata: sent }: p.ParsedBy<typeof updateParams>,
): Dispute {
  const words = evidence?.uncategorized_text
  if (words === 'escalate_inquiry_evidence') throw notCovered('value', words, 'evidence[uncategorized_text]')
  if (words !== undefined && !isOpen(dispute)) throw invalidRequest('This dispute is closed and takes no evidence.')
  const submits = words !== undefined && submit !== false
  const evidence_details = {
    ...dispute.evidence_details,
    has_evidence: true,
    submission_method: 'manual' as const,
    submission_count: dispute.evidence_details.submission_count + 1,
  }
  const patch = {
    metadata: p.mergeMetadata(dispute.metadata, sent),
    ...(words !== undefined && { evidence: { ...dispute.evidence, uncategorized_text: words } }),
    ...(submits && { status: isInquiry(dispute) ? 'warning_under_review' : 'under_review', evidence_details }),
  }
  const answered = change(context, 'disputes', dispute, patch, 'charge.dispute.updated')
  const verdict = submits ? verdicts.get(words) : undefined
  return verdict === undefined ? answered : endDispute(context, dispute.id, verdict)
}

/** Endpoints of https://docs.stripe.com/api/disputes. */
export const disputeRoutes = [
  ...resourceRoutes('disputes', {
    list: { params: listParams, same: ['charge', 'payment_intent'] },
    update: { params: updateParams, run: answerDispute },
  }),
  route('POST', '/v1/disputes/:id/close', p.noParams, (context, _sent, id) => endDispute(context, id, 'lost')),
]
