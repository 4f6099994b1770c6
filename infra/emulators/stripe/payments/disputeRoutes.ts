import type Stripe from 'stripe'
import { page, pageShape, within } from '../params/pagination.ts'
import { flag, mergeMetadata, metadata, nested, type ParsedBy, paramsFor, range, text } from '../params/params.ts'
import { change } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { endDispute, isOpen, noEvidence, requireDispute } from './disputes.ts'

type Dispute = Wire<Stripe.Dispute>

const listParams = paramsFor<Stripe.DisputeListParams>()({
  ...pageShape,
  charge: text().optional(),
  created: range().optional(),
  payment_intent: text().optional(),
})
const uncoveredEvidence = Object.keys(noEvidence).filter((name) => name !== 'uncategorized_text')
const updateParams = paramsFor<Stripe.DisputeUpdateParams>()(
  {
    evidence: nested({ uncategorized_text: text(20_000).optional() }, uncoveredEvidence).optional(),
    metadata: metadata().optional(),
    submit: flag().optional(),
  },
  ['intended_submission_method'],
)
const noParams = paramsFor<Stripe.DisputeRetrieveParams>()({})

/** Evidence that decides a dispute in test mode as soon as it is submitted: https://docs.stripe.com/testing#disputes. */
const verdicts = new Map<string, 'won' | 'lost'>([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
])

function answerDispute(context: Context, sent: ParsedBy<typeof updateParams>, id: string): Dispute {
  const dispute = requireDispute(context, id)
  const words = sent.evidence?.uncategorized_text
  if (words !== undefined && !isOpen(dispute)) throw invalidRequest('This dispute is closed and takes no evidence.')
  const submits = words !== undefined && sent.submit !== false
  const answered = change(
    context,
    'disputes',
    dispute,
    {
      metadata: mergeMetadata(dispute.metadata, sent.metadata),
      ...(words !== undefined && { evidence: { ...dispute.evidence, uncategorized_text: words } }),
      ...(submits && {
        status: 'under_review' as const,
        evidence_details: {
          ...dispute.evidence_details,
          has_evidence: true,
          submission_method: 'manual' as const,
          submission_count: dispute.evidence_details.submission_count + 1,
        },
      }),
    },
    'charge.dispute.updated',
  )
  const verdict = submits ? verdicts.get(words) : undefined
  return verdict === undefined ? answered : endDispute(context, id, verdict)
}

/** Endpoints of https://docs.stripe.com/api/disputes. */
export const disputeRoutes = [
  route('GET', '/v1/disputes', listParams, ({ store }, sent) => {
    const rows = store.all('disputes').filter((row) => {
      const ours = (sent.charge ?? row.charge) === row.charge
      return (
        ours && (sent.payment_intent ?? row.payment_intent) === row.payment_intent && within(row.created, sent.created)
      )
    })
    return page(rows, sent, '/v1/disputes')
  }),
  route('GET', '/v1/disputes/:id', noParams, (context, _sent, id) => requireDispute(context, id)),
  route('POST', '/v1/disputes/:id', updateParams, answerDispute),
  route('POST', '/v1/disputes/:id/close', noParams, (context, _sent, id) => endDispute(context, id, 'lost')),
]
