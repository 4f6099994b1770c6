import type { ListedSubscription } from '../gateway/subscription.ts'
import { cardExpiringMail, lastMonthOf } from '../slot/moneyMail.ts'
import type { Slot } from '../slot/slot.ts'
import type { PassContext } from './passContext.ts'

/**
 * Stores a mail if the card that pays for a subscription expires next month, once for each organization and month. The mail names the cards
 * that still do so when it is sent.
 */
export async function mailExpiringCard(context: PassContext, slot: Slot, row: ListedSubscription): Promise<void> {
  const { passes, clock } = context
  const isCharged = row.status === 'active' || row.status === 'trialing' || row.status === 'past_due'
  if (!row.payingCard || !isCharged || row.cancelAt !== null) return
  const month = monthAfter(clock.now())
  if (lastMonthOf(row.payingCard) !== month) return
  await passes.noteExpiringCard(slot.organizationId, month, cardExpiringMail(slot.organizationId, month, clock.now()))
}

/** @param now Unix milliseconds @returns `2027-01` */
function monthAfter(now: number): string {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 7)
}
