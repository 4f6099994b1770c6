import type Stripe from 'stripe'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import type { Context } from '../state/context.ts'
import { route } from '../wire/route.ts'
import { endScheduleWith, releaseSchedule, type Schedule, scheduleSubscription } from './subscriptionSchedules.ts'

const createParams = p.paramsFor<Stripe.SubscriptionScheduleCreateParams>()(
  { from_subscription: p.text(), metadata: p.metadata().optional() },
  words('billing_mode customer customer_account default_settings end_behavior pause_schedules phases start_date'),
)
const updateParams = p.paramsFor<Stripe.SubscriptionScheduleUpdateParams>()(
  { end_behavior: p.word(['cancel', 'release']).optional(), metadata: p.metadata().optional() },
  ['default_settings', 'pause_schedules', 'phases', 'proration_behavior'],
)
const listParams = p.paramsFor<Stripe.SubscriptionScheduleListParams>()(
  { ...listShape, customer: p.text().optional() },
  ['canceled_at', 'completed_at', 'customer_account', 'released_at', 'scheduled'],
)
const releaseParams = p.paramsFor<Stripe.SubscriptionScheduleReleaseParams>()({
  preserve_cancel_date: p.flag().optional(),
})

function updateSchedule(context: Context, found: Schedule, sent: p.ParsedBy<typeof updateParams>): Schedule {
  const schedule = sent.end_behavior === undefined ? found : endScheduleWith(context, found, sent.end_behavior)
  if (sent.metadata === undefined) return schedule
  const next = { ...schedule, metadata: p.mergeMetadata(schedule.metadata ?? {}, sent.metadata) }
  context.store.put('subscription_schedules', next)
  return next
}

/** Endpoints of https://docs.stripe.com/api/subscription_schedules, as far as they put a subscription under a schedule and release it. */
export const subscriptionScheduleRoutes = [
  ...resourceRoutes('subscription_schedules', {
    create: {
      params: createParams,
      run(context, { from_subscription: id, metadata: sent }) {
        const subscription = requireRow(context, 'subscriptions', id, 'from_subscription')
        return scheduleSubscription(context, subscription, p.mergeMetadata({}, sent))
      },
    },
    list: { params: listParams, same: ['customer'] },
    update: { params: updateParams, run: updateSchedule },
  }),
  route('POST', '/v1/subscription_schedules/:id/release', releaseParams, (context, sent, id) => {
    const cancelDate = sent.preserve_cancel_date ? 'kept' : 'dropped'
    return releaseSchedule(context, requireRow(context, 'subscription_schedules', id), cancelDate)
  }),
]
