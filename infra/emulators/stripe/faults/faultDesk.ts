import { type FaultPlan, type FaultPlanReport, startFaultPlan } from './faultPlan.ts'
import { type Fault, faultMatches } from './faults.ts'

/** The faults waiting for requests: the scripted ones, and at most one plan from a seed. */
export interface FaultDesk {
  add(fault: Fault): void
  /** Takes the place of an earlier plan; its count of calls starts anew. */
  plan(plan: FaultPlan): void
  clear(): void
  scripted(): Fault[]
  planReport(): FaultPlanReport | null
  /**
   * The fault a request meets: the oldest scripted one that matches, else what the plan draws. A saved answer is not put over one that the
   * key has already (`replays`).
   */
  take(request: { method: string; path: string; endpoint: string; replays: boolean }): Fault | undefined
}

/** A desk without faults. */
export function createFaultDesk(): FaultDesk {
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
