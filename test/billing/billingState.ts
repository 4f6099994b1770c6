import type { BillingStack } from '../support/billingStack.ts'

/** The result of a purchase: the slot and the subscriptions of one plan, and all charges of the organization. */
export interface BillingState {
  /** The slot's state; `absent` where none was ever written. */
  slot: string
  /** The status of every subscription of the plan, sorted. */
  subscriptions: string[]
  /** Successful charges, for every product. */
  charges: number
}

/** Reads the slot from the table and the rest from the gateway, neither through the service. */
export async function billingState(
  stack: BillingStack,
  organizationId: string,
  planCode = 'base_ota',
): Promise<BillingState> {
  const [slot, subscriptions, charges] = await Promise.all([
    stack.slot(organizationId, planCode),
    stack.subscriptions(organizationId),
    stack.charges(organizationId),
  ])
  const statuses = subscriptions.flatMap(({ metadata, status }) => (metadata.plan_code === planCode ? [status] : []))
  return { slot: slot?.state ?? 'absent', subscriptions: statuses.toSorted(), charges }
}

/** No purchase was ever claimed. */
export const neverClaimed = { slot: 'absent', subscriptions: [], charges: 0 }

/** A purchase was claimed and refused before the gateway made a subscription. */
export const nothingBought = { slot: 'none', subscriptions: [], charges: 0 }

/** Bought once, and paid. */
export const bought = { slot: 'active', subscriptions: ['active'], charges: 1 }

/** Bought with a card that the buyer has not authenticated yet. */
export const waiting = { slot: 'incomplete', subscriptions: ['incomplete'], charges: 0 }

/** Canceled or expired before it was paid. */
export const endedUnpaid = { slot: 'canceled', subscriptions: ['incomplete_expired'], charges: 0 }
