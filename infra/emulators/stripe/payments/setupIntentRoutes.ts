import type Stripe from 'stripe'
import { z } from 'zod'
import { page, pageShape, within } from '../params/pagination.ts'
import { flag, mergeMetadata, metadata, nested, type ParsedBy, paramsFor, range, text, word } from '../params/params.ts'
import { change } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, resourceMissing } from '../wire/errors.ts'
import { forBrowsers, route, stripeJsRoute } from '../wire/route.ts'
import { authenticateParams, removedTypes } from './paymentIntentParams.ts'
import { obtainMethod } from './paymentMethods.ts'
import {
  authenticateSetup,
  confirmSetup,
  openSetup,
  requireSetup,
  type SetupIntent,
  unexpectedState,
} from './setupIntents.ts'

const createParams = paramsFor<Stripe.SetupIntentCreateParams>()(
  {
    allowed_payment_method_types: z.array(text()).min(1).optional(),
    automatic_payment_methods: nested({
      enabled: flag(),
      allow_redirects: word(['always', 'never']).optional(),
    }).optional(),
    confirm: flag().optional(),
    customer: text().optional(),
    description: text(1000).optional(),
    metadata: metadata().optional(),
    payment_method: text().optional(),
    return_url: text().optional(),
    usage: word(['off_session', 'on_session']).optional(),
    use_stripe_sdk: flag().optional(),
  },
  [
    'attach_to_self',
    'confirmation_token',
    'flow_directions',
    'mandate_data',
    'on_behalf_of',
    'payment_method_configuration',
    'payment_method_data',
    'single_use',
    'excluded_payment_method_types',
    'payment_method_options',
  ],
  removedTypes,
)
const confirmParams = paramsFor<Stripe.SetupIntentConfirmParams>()(
  { payment_method: text().optional(), return_url: text().optional(), use_stripe_sdk: flag().optional() },
  [
    'confirmation_token',
    'mandate_data',
    'payment_method_data',
    'payment_method_options',
    'allowed_payment_method_types',
  ],
)
const cancelParams = paramsFor<Stripe.SetupIntentCancelParams>()({
  cancellation_reason: word(['abandoned', 'duplicate', 'requested_by_customer']).optional(),
})
const listParams = paramsFor<Stripe.SetupIntentListParams>()(
  { ...pageShape, created: range().optional(), customer: text().optional(), payment_method: text().optional() },
  ['attach_to_self'],
)
const noParams = paramsFor<Stripe.SetupIntentRetrieveParams>()({})

function createSetup(context: Context, sent: ParsedBy<typeof createParams>): SetupIntent {
  if (sent.customer !== undefined && context.store.get('customers', sent.customer) === undefined) {
    throw resourceMissing('customer', sent.customer, 'customer')
  }
  if (sent.allowed_payment_method_types && sent.automatic_payment_methods) {
    const message =
      'You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.'
    throw invalidRequest(message, 'parameters_exclusive')
  }
  const method =
    sent.payment_method === undefined ? null : obtainMethod(context, sent.payment_method, 'payment_method').id
  const automatic = sent.automatic_payment_methods
  const intent = openSetup(context, {
    customer: sent.customer ?? null,
    allowed: sent.allowed_payment_method_types ?? null,
    automatic: automatic
      ? { enabled: automatic.enabled, allow_redirects: automatic.allow_redirects ?? 'always' }
      : null,
    description: sent.description ?? null,
    metadata: mergeMetadata({}, sent.metadata),
    method,
    usage: sent.usage ?? 'off_session',
  })
  if (!sent.confirm) return intent
  if (method === null)
    throw invalidRequest('Missing required param: payment_method.', 'parameter_missing', 'payment_method')
  return confirmSetup(context, intent, method)
}

const open = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** Endpoints of https://docs.stripe.com/api/setup_intents. */
export const setupIntentRoutes = [
  route('POST', '/v1/setup_intents', createParams, createSetup),
  route('GET', '/v1/setup_intents', listParams, ({ store }, sent) => {
    const rows = store.all('setup_intents').filter((row) => {
      const ours = (sent.customer ?? row.customer) === row.customer
      return (
        ours && (sent.payment_method ?? row.payment_method) === row.payment_method && within(row.created, sent.created)
      )
    })
    return page(rows, sent, '/v1/setup_intents')
  }),
  forBrowsers(
    'setup_intents',
    route('GET', '/v1/setup_intents/:id', noParams, (context, _sent, id) => requireSetup(context, id)),
  ),
  forBrowsers(
    'setup_intents',
    route('POST', '/v1/setup_intents/:id/confirm', confirmParams, (context, sent, id) => {
      const intent = requireSetup(context, id)
      if (!open.includes(intent.status)) throw unexpectedState(intent, 'confirm')
      const method = sent.payment_method ?? intent.payment_method
      if (method === null) {
        const message = 'You cannot confirm this SetupIntent because it is missing a payment method.'
        throw invalidRequest(message, 'setup_intent_unexpected_state', 'payment_method')
      }
      return confirmSetup(context, intent, method)
    }),
  ),
  stripeJsRoute('setup_intents', '/v1/setup_intents/:id/authenticate', authenticateParams, (context, sent, id) =>
    authenticateSetup(context, id, sent.outcome),
  ),
  route('POST', '/v1/setup_intents/:id/cancel', cancelParams, (context, sent, id) => {
    const intent = requireSetup(context, id)
    if (!open.includes(intent.status)) throw unexpectedState(intent, 'cancel')
    const patch = {
      status: 'canceled' as const,
      cancellation_reason: sent.cancellation_reason ?? null,
      next_action: null,
    }
    return change(context, 'setup_intents', intent, patch, 'setup_intent.canceled')
  }),
]
