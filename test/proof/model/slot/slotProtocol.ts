import type { Model } from '../explore.ts'
import type { Assumption, SlotGuard } from '../guards/guards.ts'
import { changeSteps } from './slotChanges.ts'
import { gatewaySteps } from './slotGateway.ts'
import { createSlotJudge } from './slotHealing.ts'
import { cancelSteps, hookSteps } from './slotProjection.ts'
import { initialState, keyOf } from './slotRuns.ts'
import type { Bounds, State } from './slotState.ts'
import { workerSteps } from './slotWorkers.ts'

/** One slot: everything that its purchases, webhooks and cancellations may do within `bounds`, without some guards. */
export function slotProtocol(bounds: Bounds, without: readonly (SlotGuard | Assumption)[] = []): Model<State> {
  const options = { bounds, without: new Set(without) }
  return {
    initial: initialState(bounds),
    key: keyOf,
    violation: createSlotJudge(options),
    next(state, visit) {
      gatewaySteps(state, options, visit)
      state.workers.forEach((_, index) => {
        workerSteps(state, index, options, visit)
      })
      state.hooks.forEach((_, index) => {
        hookSteps(state, index, options, visit)
      })
      state.cancels.forEach((_, index) => {
        cancelSteps(state, index, options, visit)
      })
      state.changes.forEach((_, index) => {
        changeSteps(state, index, options, visit)
      })
    },
  }
}
