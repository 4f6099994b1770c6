import type { BillingStack } from '../support/billingStack.ts'

/** What a test looks at after an answer, for one plan: the slot, the gateway's subscriptions of that plan, all charges. */
export interface MoneyState {
  /** The slot's state; `absent` where none was ever written. */
  slot: string
  /** The status of every subscription of the plan, in no order that means anything. */
  subscriptions: string[]
  /** Successful charges of the organization, for every product. */
  charges: number
}

/** Reads slot and gateway of an organization's plan, both past the service. */
export async function moneyState(
  stack: BillingStack,
  organizationId: string,
  planCode = 'base_ota',
): Promise<MoneyState> {
  const [slot, subscriptions, charges] = await Promise.all([
    stack.slot(organizationId, planCode),
    stack.subscriptions(organizationId),
    stack.charges(organizationId),
  ])
  const statuses = subscriptions.flatMap(({ metadata, status }) => (metadata.plan_code === planCode ? [status] : []))
  return { slot: slot?.state ?? 'absent', subscriptions: statuses.toSorted(), charges }
}

/** Nothing was bought and nothing is held. */
export const nothingBought = { slot: 'none', subscriptions: [], charges: 0 }
