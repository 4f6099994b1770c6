import { type CustomerDeps, listSubscriptionsOf } from '../customer/customerSubscriptions.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { isEnded } from '../gateway/subscription.ts'
import type { BillingAccount } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'
import { type Drift, driftOf, isRecorded } from './drift.ts'
import { namesSlot, slotNamedBy } from './listed.ts'
import type { ComparedRows, PassContext } from './passContext.ts'
import { repair } from './repair.ts'

/** Compares a page of the held slots with the gateway, a slot only if the list did not show its own subscription. */
export async function compareSlots(context: PassContext): Promise<ComparedRows> {
  const { rows, next } = await context.passes.listHeld(context.pass.id, context.pass.cursor)
  for (const { slot, seen } of rows) {
    const id = slot.subscription?.id
    // The sweeper settles pending slots.
    if (!seen && id !== undefined && slot.state !== 'pending') await compareOwn(context, slot, id)
  }
  return { rows: rows.length, ...(next !== undefined && { next }) }
}

/** Finds out why the list lacks it: it was bought later, its metadata name another slot, or the gateway does not know it. */
async function compareOwn(context: PassContext, slot: Slot, id: string): Promise<void> {
  const latest = await gatewayOf(context.gateways, slot).purchases.fetchSubscription(id)
  if (latest.kind === 'ok') {
    if (!namesSlot(latest.value, slot)) {
      context.report(
        driftOf(slot, { remedy: 'report', why: 'its metadata name another slot', slot, latest: latest.value }),
      )
    }
    if (isRecorded(slot, latest.value)) return
  }
  const confirm = (now: Slot, account?: BillingAccount) => confirmMissing(context, now, account)
  for (const drift of await repair({ ...context, onMissing: confirm }, { ...slot, id }, slot)) context.report(drift)
}

/** Only if the same key sees the customer is it certain that the gateway does not know the subscription. */
async function confirmMissing(
  context: CustomerDeps,
  slot: Slot,
  account: BillingAccount | undefined,
): Promise<Drift[]> {
  const subscriptionId = slot.subscription?.id ?? null
  const report = (why: string) => [driftOf(slot, { remedy: 'report', why, slot, subscriptionId })]
  if (!account) return report('the gateway does not know it, and its organization is not recorded')
  const found = await listSubscriptionsOf(context, account)
  if (found.kind === 'unknown') return report('the gateway does not know it; its customer could not be asked for')
  if (found.kind === 'refused')
    return report('the gateway knows neither it nor its customer: is the key the right one?')
  const other = found.value.find((row) => !isEnded(row.status) && slotNamedBy(row)?.product === slot.product)
  return report(
    other
      ? `the gateway does not know it, and has ${other.id}: adopt that one`
      : 'the gateway does not know it, for certain: release it',
  )
}
