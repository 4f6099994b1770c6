import { reasonOf } from '../../core/errors.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { type RelayDeps, relayEvents } from './relayEvents.ts'

type Deps = RelayDeps & { readonly logger: Logger }

/** An item that the stream brought: its number in the stream, and whose event it is. */
export interface StreamItem {
  readonly id: string
  readonly organizationId: OrganizationId
}

/**
 * Relays the events of every organization with a waiting event. Never ends because of one organization.
 * @param finishBy Unix milliseconds; a later run does what is left
 * @throws CommonError `service_unavailable` if the waiting events cannot be listed
 */
export async function relayWaiting(deps: Deps, finishBy: number): Promise<{ relayed: number; failed: number }> {
  const report = { relayed: 0, failed: 0 }
  for (const organizationId of await deps.outbox.listWaiting(deps.clock.now())) {
    if (deps.clock.now() >= finishBy) break
    const relayed = await tryRelay(deps, organizationId)
    if (relayed === undefined) report.failed += 1
    else report.relayed += relayed
  }
  return report
}

/**
 * Relays the events of the organizations in a batch of the stream. Never throws.
 * @returns the items that have to come again
 */
export async function relayBatch(deps: Deps, items: readonly StreamItem[], finishBy: number): Promise<StreamItem[]> {
  const failed: StreamItem[] = []
  for (const [organizationId, own] of Map.groupBy(items, (item) => item.organizationId)) {
    const isLate = deps.clock.now() >= finishBy
    if (isLate || (await tryRelay(deps, organizationId)) === undefined) failed.push(...own)
  }
  return failed
}

/** Undefined if it failed. */
async function tryRelay(deps: Deps, organizationId: OrganizationId): Promise<number | undefined> {
  try {
    return await relayEvents(deps, organizationId)
  } catch (error) {
    deps.logger.error('Events not relayed', { organizationId, reason: reasonOf(error) })
    return undefined
  }
}
