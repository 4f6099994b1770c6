import { reasonOf } from '../../core/errors.ts'
import type { GatewayEvent } from '../gateway/gatewayEvent.ts'
import { projectEvent } from './projectEvent.ts'
import type { ProjectionDeps } from './projectSubscription.ts'

/**
 * Projects a verified event, and logs how old it was when it arrived.
 * @returns whether everything it reports is committed; if false, the gateway has to send it again
 */
export async function receiveEvent(deps: ProjectionDeps, event: GatewayEvent): Promise<boolean> {
  const { kind, created } = event
  const lagSeconds = Math.max(0, Math.round(deps.clock.now() / 1000 - created))
  deps.logger.info('Event received', { kind, lagSeconds })
  try {
    await projectEvent(deps, event)
    return true
  } catch (error) {
    deps.logger.error('Event not recorded', { reason: reasonOf(error) })
    return false
  }
}
