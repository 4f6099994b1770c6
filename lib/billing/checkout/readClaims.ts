import { isSameTerms } from '../slot/paymentTerms.ts'
import type { BillingAccount, BillingDeps, Conflict, PayingAccount } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'

/**
 * Reads claims again that were written each by itself, and the account with them. What changes the customer or the gateway, or plans a
 * deletion, is written only while every slot is free: so either it was refused because of these claims, or this read shows it.
 * @param account as the claims were made for it
 * @returns for each slot null where it may be sent, and otherwise what it lost to
 * @throws CommonError `service_unavailable`
 */
export async function readClaims(
  { deps, account }: { deps: Pick<BillingDeps, 'records'>; account: PayingAccount },
  claims: readonly Slot[],
): Promise<(Conflict | null)[]> {
  if (claims.length === 0) return []
  const ofClaims = claims.map(({ product }) => product)
  const read = await deps.records.readTogether(account.organizationId, ofClaims)
  const accountChanged = !isAsRead(account, read.account)
  return claims.map(({ product, rev }) => {
    const slot = read.slots.find((current) => current.product === product && current.rev !== rev)
    return slot || accountChanged ? { slot, couponTaken: false, accountChanged } : null
  })
}

/** What `checkAccount` demands in a transaction. */
function isAsRead(account: PayingAccount, now: BillingAccount | undefined): boolean {
  return now?.customerRev === account.customerRev && isSameTerms(now, account) && !now.isBeingDeleted
}
