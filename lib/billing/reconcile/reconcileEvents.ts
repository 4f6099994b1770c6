import { reasonOf } from '../../core/errors.ts'
import { announceInvoice } from '../events/announceInvoice.ts'
import { matchPayer } from '../events/matchEvent.ts'
import { projectEvent } from '../events/projectEvent.ts'
import { type GatewayEvent, organizationOf } from '../gateway/gatewayEvent.ts'
import { DAY, EVENT_DAYS } from '../timing.ts'
import type { Drift } from './drift.ts'
import { listed } from './listed.ts'
import type { ComparedRows, PassContext } from './passContext.ts'

/** Handles a page of undelivered events. Only events report changes of cards and customers, and payments of invoices. */
export async function deliverEvents(context: PassContext): Promise<ComparedRows> {
  const { listing, pass } = context
  const since = Math.floor((pass.startedAt - EVENT_DAYS * DAY) / 1000)
  const { rows, next } = listed(await listing.listUndeliveredEvents(since, pass.cursor))
  for (const event of rows) await deliver(context, event)
  return { rows: rows.length, ...(next !== undefined && { next }) }
}

async function deliver(context: PassContext, event: GatewayEvent): Promise<void> {
  // The later phases compare its subscription.
  if (event.kind === 'subscription')
    return context.dryRun ? undefined : announceInvoice(context, event, await matchPayer(context.records, event))
  const drift: Drift = {
    organizationId: organizationOf(event) ?? null,
    product: null,
    subscriptionId: null,
    remedy: 'deliver',
    here: 'not delivered',
    there: event.kind,
    why: 'its webhook was not delivered',
    done: false,
  }
  if (context.dryRun) return context.report(drift)
  try {
    await projectEvent(context, event)
    context.report({ ...drift, done: true })
  } catch (error) {
    context.report({ ...drift, why: reasonOf(error) })
  }
}
