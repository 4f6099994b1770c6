import { customerDigest } from '../customer/customer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Reversal } from '../gateway/gatewayPorts.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import { isEntitling } from '../slot/entitlement.ts'
import type { Slot } from '../slot/slot.ts'
import { DAY, MONEY_DAYS } from '../timing.ts'
import { type Drift, driftOf } from './drift.ts'
import { listed, slotNamedBy } from './listed.ts'
import type { ComparedRows, PassContext } from './passContext.ts'

/** Reports a refund if it is full and the refunded period is still entitled. */
export function compareRefunds(context: PassContext): Promise<ComparedRows> {
  return compareReversals(context, 'refund')
}

/** Reports lost disputes of a subscription that is still entitled. */
export function compareDisputes(context: PassContext): Promise<ComparedRows> {
  return compareReversals(context, 'dispute')
}

async function compareReversals(context: PassContext, kind: Reversal['kind']): Promise<ComparedRows> {
  const { listing, pass } = context
  const since = Math.floor((pass.startedAt - MONEY_DAYS * DAY) / 1000)
  const { rows, next } = listed(await listing.listReversals(kind, since, pass.cursor))
  for (const reversal of rows) {
    if (reversal.final) for (const drift of await compareReversal(context, reversal)) context.report(drift)
  }
  return { rows: rows.length, ...(next !== undefined && { next }) }
}

async function compareReversal(context: PassContext, { kind, paymentIntentId }: Reversal): Promise<Drift[]> {
  const paid = listed(await context.listing.findPaidInvoice(paymentIntentId))
  if (paid === null) return []
  const latest = listed(
    await gatewayOf(context.gateways, context.listing).purchases.fetchSubscription(paid.subscriptionId),
  )
  // If the refund is of an earlier period, it does not concern today's entitlement.
  if (kind === 'refund' && latest.invoiceId !== paid.invoiceId) return []
  const slot = (await slotsBeside(context, latest)).find(({ subscription }) => subscription?.id === latest.id)
  if (!slot || !isEntitling(slot)) return []
  const why = kind === 'refund' ? 'its period was refunded in full' : 'the dispute of a payment was lost'
  return [driftOf(slot, { remedy: 'report', why: `${why}, and it is entitled`, slot, latest })]
}

/** The slots of the organization that has the subscription's customer; if none has, of the organization that its metadata names. */
async function slotsBeside({ records }: PassContext, latest: GatewaySubscription): Promise<readonly Slot[]> {
  const [customers] = await records.findOrganizations(customerDigest(latest.customerId))
  const organizationId = customers ?? slotNamedBy(latest)?.organizationId
  return organizationId === undefined ? [] : (await records.readSlots(organizationId)).slots
}
