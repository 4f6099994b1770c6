import type Stripe from 'stripe'
import { page, pageShape, within } from '../params/pagination.ts'
import { coveredWord, mergeMetadata, metadata, type ParsedBy, paramsFor, range, text, word } from '../params/params.ts'
import type { Context } from '../state/context.ts'
import { resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import { endScheduleWith, releaseSchedule, type Schedule, scheduleSubscription } from './subscriptionSchedules.ts'

const createParams = paramsFor<Stripe.SubscriptionScheduleCreateParams>()(
  { from_subscription: text(), metadata: metadata().optional() },
  [
    'billing_mode',
    'customer',
    'customer_account',
    'default_settings',
    'end_behavior',
    'pause_schedules',
    'phases',
    'start_date',
  ],
)
const updateParams = paramsFor<Stripe.SubscriptionScheduleUpdateParams>()(
  { end_behavior: word(['cancel', 'release']).optional(), metadata: metadata().optional() },
  ['default_settings', 'pause_schedules', 'phases', 'proration_behavior'],
)
const listParams = paramsFor<Stripe.SubscriptionScheduleListParams>()(
  { ...pageShape, created: range().optional(), customer: text().optional() },
  ['canceled_at', 'completed_at', 'customer_account', 'released_at', 'scheduled'],
)
const releaseParams = paramsFor<Stripe.SubscriptionScheduleReleaseParams>()({
  preserve_cancel_date: coveredWord('false', ['true']).optional(),
})
const noParams = paramsFor<Stripe.SubscriptionScheduleRetrieveParams>()({})

function requireSchedule({ store }: Context, id: string): Schedule {
  const schedule = store.get('subscription_schedules', id)
  if (schedule === undefined) throw resourceMissing('subscription_schedule', id, 'id')
  return schedule
}

function updateSchedule(context: Context, sent: ParsedBy<typeof updateParams>, id: string): Schedule {
  const found = requireSchedule(context, id)
  const schedule = sent.end_behavior === undefined ? found : endScheduleWith(context, found, sent.end_behavior)
  if (sent.metadata === undefined) return schedule
  const next = { ...schedule, metadata: mergeMetadata(schedule.metadata ?? {}, sent.metadata) }
  context.store.put('subscription_schedules', next)
  return next
}

/** Endpoints of https://docs.stripe.com/api/subscription_schedules, as far as they put a subscription under a schedule and release it. */
export const subscriptionScheduleRoutes = [
  route('POST', '/v1/subscription_schedules', createParams, (context, sent) => {
    const subscription = context.store.get('subscriptions', sent.from_subscription)
    if (subscription === undefined) throw resourceMissing('subscription', sent.from_subscription, 'from_subscription')
    return scheduleSubscription(context, subscription, mergeMetadata({}, sent.metadata))
  }),
  route('GET', '/v1/subscription_schedules', listParams, ({ store }, sent) => {
    const rows = store
      .all('subscription_schedules')
      .filter((row) => (sent.customer ?? row.customer) === row.customer && within(row.created, sent.created))
    return page(rows, sent, '/v1/subscription_schedules')
  }),
  route('GET', '/v1/subscription_schedules/:id', noParams, (context, _sent, id) => requireSchedule(context, id)),
  route('POST', '/v1/subscription_schedules/:id', updateParams, updateSchedule),
  route('POST', '/v1/subscription_schedules/:id/release', releaseParams, (context, _sent, id) => {
    return releaseSchedule(context, requireSchedule(context, id))
  }),
]
