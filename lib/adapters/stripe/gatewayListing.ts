import type Stripe from 'stripe'
import { gatewayEventTypes } from '../../billing/gatewayEvent.ts'
import type { GatewayListing } from '../../billing/ports.ts'
import type { Logger } from '../../log/logger.ts'
import { readEvent } from './readEvent.ts'
import { readSubscription } from './readSubscription.ts'
import { createGatewayCall } from './wireCall.ts'

/** `GatewayListing` on Stripe's API: https://docs.stripe.com/api/subscriptions/list, https://docs.stripe.com/api/events/list. */
export function createGatewayListing(stripe: Stripe, logger: Logger): GatewayListing {
  const call = createGatewayCall(logger)
  return {
    listSubscriptions: () =>
      call(
        () => everyPage(stripe.subscriptions.list({ status: 'all', limit: 100, expand: ['data.latest_invoice'] })),
        (all, asOf) => all.map((subscription) => readSubscription(subscription, asOf).subscription),
      ),

    listUndeliveredEvents: (since) =>
      call(
        () =>
          everyPage(
            stripe.events.list({
              types: [...gatewayEventTypes],
              created: { gte: since },
              delivery_success: false,
              limit: 100,
            }),
          ),
        // Stripe lists the newest first.
        (all) => all.toReversed().map(readEvent),
      ),
  }
}

/** All rows: the SDK's own `autoPagingToArray` ends at 10,000. */
async function everyPage<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of list) rows.push(row)
  return rows
}
