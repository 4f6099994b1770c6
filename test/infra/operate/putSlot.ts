import type { BillingStack } from '../../support/billingStack.ts'

/** The stored item of an organization's `ota` slot. */
export async function slotItem(stack: BillingStack, organizationId: string): Promise<Record<string, unknown>> {
  const item = (await stack.items()).find(({ sk }) => sk === `SLOT#base_ota:${organizationId}`)
  if (!item) throw new Error('The slot was never written')
  return item
}

/** Whether the organization is entitled to `ota`. */
export const isActive = async (stack: BillingStack, organizationId: string) =>
  (await stack.entitlements(organizationId)).find(({ product }) => product === 'ota')?.active

/** Makes the slot hold a subscription that the gateway does not know, as after a switch of accounts; returns the item before. */
export async function holdUnknown(stack: BillingStack, organizationId: string): Promise<Record<string, unknown>> {
  const item = await slotItem(stack, organizationId)
  const currentPeriodEnd = (await stack.emulator.now()) + 86_400
  const known = { status: 'active', currentPeriodEnd, cancelAt: null, endedAt: null, coveredUntil: 1 }
  await stack.putItem({ ...item, subscription: { ...known, id: 'sub_unknown' } })
  return item
}

/** Leaves the organization as a backup of before its first purchase has it: without its customer and its slot. */
export async function loseCustomer(stack: BillingStack, organizationId: string): Promise<void> {
  const account = (await stack.items()).find(({ pk, sk }) => pk === `ORG#${organizationId}` && sk === 'ACCOUNT')
  const { custCipher: _cipher, custDigest: _digest, ...rest } = account ?? {}
  await stack.putItem(rest)
  const { pk, sk, organizationId: id, product, product_code, plan_code } = await slotItem(stack, organizationId)
  await stack.putItem({ pk, sk, organizationId: id, product, product_code, plan_code, state: 'none', n: 0, rev: 1 })
}
