import type Stripe from 'stripe'
import { listShape, page, within } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import type { Context } from '../state/context.ts'
import { planOf } from '../subscriptions/subscriptionItems.ts'
import { resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'

const listParams = p.paramsFor<Stripe.PlanListParams>()({
  ...listShape,
  active: p.flag().optional(),
  product: p.text().optional(),
})

/** The recurring prices as plans, their older form. */
function plans({ store }: Context): Wire<Stripe.Plan>[] {
  return store
    .all('prices')
    .filter(({ type }) => type === 'recurring')
    .map(planOf)
}

/** The reads of https://docs.stripe.com/api/plans. */
export const planRoutes = [
  route('GET', '/v1/plans', listParams, (context, sent) => {
    const every = plans(context)
    const rows = every.filter(({ active, product, created }) => {
      if (sent.active !== undefined && active !== sent.active) return false
      return (sent.product === undefined || product === sent.product) && within(created, sent.created)
    })
    return page(rows, sent, '/v1/plans', every)
  }),
  route('GET', '/v1/plans/:id', p.noParams, (context, _sent, id) => {
    const plan = plans(context).find((row) => row.id === id)
    if (plan === undefined) throw resourceMissing('plan', id, 'id')
    return plan
  }),
]
