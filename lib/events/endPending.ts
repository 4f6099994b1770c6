import { reasonOf } from '../core/errors.ts'
import type { Logger } from '../log/logger.ts'
import type { PendingDeliveries } from './ports.ts'

export interface EndPendingDeps {
  readonly pending: PendingDeliveries
  readonly logger: Pick<Logger, 'error'>
}

/** Ends what is pending at a disabled endpoint. Never throws: what is left ends when it is due. */
export async function endPending({ pending, logger }: EndPendingDeps, endpointId: string): Promise<void> {
  try {
    await pending.endAll(endpointId)
  } catch (error) {
    logger.error('Deliveries not ended', { endpointId, reason: reasonOf(error) })
  }
}
