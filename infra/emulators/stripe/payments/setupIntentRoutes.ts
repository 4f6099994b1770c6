import type Stripe from 'stripe'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { change } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, missingParam } from '../wire/errors.ts'
import { forBrowsers, route, stripeJsRoute } from '../wire/route.ts'
import { useToken } from './confirmationTokens.ts'
import {
  authenticateParams,
  intentShape,
  intentTerms,
  isUnconfirmed,
  removedTypes,
  requireConfirm,
  unexpectedState,
} from './intents.ts'
import { authenticateSetup, confirmSetup, openSetup, type SetupIntent } from './setupIntents.ts'

const createParams = p.paramsFor<Stripe.SetupIntentCreateParams>()(
  {
    ...intentShape,
    confirmation_token: p.text().optional(),
    usage: p.word(['off_session', 'on_session']).optional(),
  },
  words(
    'attach_to_self flow_directions mandate_data on_behalf_of payment_method_configuration',
    'payment_method_data single_use excluded_payment_method_types payment_method_options',
  ),
  removedTypes,
)
const confirmParams = p.paramsFor<Stripe.SetupIntentConfirmParams>()(
  {
    confirmation_token: p.text().optional(),
    payment_method: p.text().optional(),
    return_url: p.text().optional(),
    use_stripe_sdk: p.flag().optional(),
  },
  words('mandate_data payment_method_data payment_method_options allowed_payment_method_types'),
)
const cancelParams = p.paramsFor<Stripe.SetupIntentCancelParams>()({
  cancellation_reason: p.word(['abandoned', 'duplicate', 'requested_by_customer']).optional(),
})
const listParams = p.paramsFor<Stripe.SetupIntentListParams>()(
  { ...listShape, customer: p.text().optional(), payment_method: p.text().optional() },
  ['attach_to_self'],
)

function createSetup(context: Context, sent: p.ParsedBy<typeof createParams>): SetupIntent {
  const terms = intentTerms(context, sent)
  requireConfirm(sent)
  const intent = openSetup(context, { ...terms, usage: sent.usage ?? 'off_session' })
  if (!sent.confirm) return intent
  const method = methodFor(context, intent, sent)
  if (method !== null) return confirmSetup(context, intent, method)
  throw missingParam('payment_method')
}

/** The method to save: that of a confirmation token, the one named, or that of the intent. */
function methodFor(context: Context, intent: SetupIntent, sent: p.ParsedBy<typeof confirmParams>): string | null {
  const { confirmation_token: token, payment_method: named } = sent
  if (token !== undefined) return useToken(context, token, intent, named).method
  return named ?? intent.payment_method
}

function confirm(context: Context, sent: p.ParsedBy<typeof confirmParams>, id: string): SetupIntent {
  const intent = requireRow(context, 'setup_intents', id)
  if (!isUnconfirmed(intent)) throw unexpectedState(intent, 'confirm')
  const method = methodFor(context, intent, sent)
  if (method !== null) return confirmSetup(context, intent, method)
  const message = 'You cannot confirm this SetupIntent because it is missing a payment method.'
  throw invalidRequest(message, 'setup_intent_unexpected_state', 'payment_method')
}

function cancel(context: Context, sent: p.ParsedBy<typeof cancelParams>, id: string): SetupIntent {
  const intent = requireRow(context, 'setup_intents', id)
  if (!isUnconfirmed(intent)) throw unexpectedState(intent, 'cancel')
  const { cancellation_reason = null } = sent
  const patch = { status: 'canceled' as const, cancellation_reason, next_action: null }
  return change(context, 'setup_intents', intent, patch, 'setup_intent.canceled')
}

/** Endpoints of https://docs.stripe.com/api/setup_intents. */
export const setupIntentRoutes = [
  ...resourceRoutes('setup_intents', {
    create: { params: createParams, run: createSetup },
    list: { params: listParams, same: ['customer', 'payment_method'] },
    browsers: 'setup_intents',
  }),
  forBrowsers('setup_intents', route('POST', '/v1/setup_intents/:id/confirm', confirmParams, confirm)),
  stripeJsRoute('setup_intents', '/v1/setup_intents/:id/authenticate', authenticateParams, (context, sent, id) =>
    authenticateSetup(context, id, sent.outcome),
  ),
  route('POST', '/v1/setup_intents/:id/cancel', cancelParams, cancel),
]
