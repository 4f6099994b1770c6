import { type FaultPlan, type FaultPlanReport, startFaultPlan } from './faultPlan.ts'
import { type Fault, faultMatches } from './faults.ts'

/** The faults that wait for requests: scripted faults, and at most one plan from a seed. */
export interface FaultQueue {
  add(fault: Fault): void
  /** Replaces an earlier plan; calls are counted from 1 again. */
  plan(plan: FaultPlan): void
  clear(): void
  scripted(): Fault[]
  planReport(): FaultPlanReport | null
  /**
   * Removes and returns the fault for a request: the oldest scripted fault that matches, else what the plan draws. A fault that is saved
   * under the key does not apply if the key already has an answer (`replays`).
   */
  take(request: { method: string; path: string; endpoint: string; replays: boolean }): Fault | undefined
}

export function createFaultQueue(): FaultQueue {
  let faults: Fault[] = []
  let planAtWork: ReturnType<typeof startFaultPlan> | undefined
  return {
    add: (fault) => faults.push(fault),
    plan(plan) {
      planAtWork = startFaultPlan(plan)
    },
    clear() {
      faults = []
      planAtWork = undefined
    },
    scripted: () => faults,
    planReport: () => planAtWork?.report() ?? null,
    take({ method, path, endpoint, replays }) {
      const overSaved = (fault: Fault) => replays && fault.kind === 'status' && fault.saved
      const fault = faults.find((candidate) => faultMatches(candidate, method, path) && !overSaved(candidate))
      if (fault === undefined) {
        const drawn = planAtWork?.draw(method, path, endpoint)
        return drawn === undefined || overSaved(drawn) ? undefined : drawn
      }
      faults = faults.flatMap((other) =>
        other !== fault ? [other] : other.times > 1 ? [{ ...other, times: other.times - 1 }] : [],
      )
      return fault
    },
  }
}
