import { useCleanStack } from '../useCleanStack.ts'

/** The entry of a purchase. */
export const bought = 'subscription.purchased by owner'

/** A stack, what a test reads of the audit log, and what it begins with. */
export function useAuditLog() {
  const bed = useCleanStack()

  /** What the organization's log says of its subscriptions, or of something else, oldest first: the action, and who. */
  async function logOf(organizationId: string, about = 'subscription'): Promise<string[]> {
    const { owner, billing_admin } = bed.stack.client.info.demo
    const names = new Map([
      [owner.id, 'owner'],
      [billing_admin.id, 'billing admin'],
    ])
    const entries = await bed.stack.auditEntries(organizationId)
    const own = entries.filter(({ action }) => action.startsWith(about))
    return own.map(({ action, actor }) => `${action} by ${names.get(actor.id ?? '') ?? actor.type}`)
  }

  async function subscribed() {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    await bed.stack.checkout(organizationId, ['base_ota'], { card })
    await bed.stack.emulator.flush()
    return { organizationId, card }
  }

  return { bed, logOf, subscribed }
}
