import type { Clock } from './clock.ts'
import type { DueDeletion } from './deletion.ts'

/** What a run did: reminders sent, accounts or organizations erased, and failed steps, which are due again in the next run. */
export interface ErasureReport {
  reminded: number
  erased: number
  failed: number
}

interface DueDeps<Id> {
  readonly deletions: {
    listDue(now: number): Promise<readonly DueDeletion<Id>[]>
    dismiss(due: DueDeletion<Id>): Promise<void>
  }
  readonly clock: Clock
}

/** The actions of the steps. If an action throws, the step is due again in the next run. */
interface Steps<Id, Found> {
  /** Finds what to erase; undefined if its deletion was undone or replaced. */
  find(due: DueDeletion<Id>): Promise<Found | undefined>
  remind(found: Found): Promise<void>
  /** `nothing` if it is no longer to be erased. */
  erase(found: Found): Promise<'erased' | 'nothing'>
  failed(due: DueDeletion<Id>, error: unknown): void
}

/**
 * Performs each due step, even if others fail.
 * @param finishBy Unix milliseconds; the next run does what is left
 * @throws CommonError `service_unavailable` if the due steps cannot be listed
 */
export async function eraseDue<Id, Found>(
  deps: DueDeps<Id>,
  steps: Steps<Id, Found>,
  finishBy: number,
): Promise<ErasureReport> {
  const { deletions, clock } = deps
  const report = { reminded: 0, erased: 0, failed: 0 }
  for (const due of await deletions.listDue(clock.now())) {
    if (clock.now() >= finishBy) break
    try {
      const done = await takeStep(deps, steps, due)
      if (done !== 'nothing') report[done] += 1
    } catch (error) {
      report.failed += 1
      steps.failed(due, error)
    }
  }
  return report
}

async function takeStep<Id, Found>(
  { deletions, clock }: DueDeps<Id>,
  steps: Steps<Id, Found>,
  due: DueDeletion<Id>,
): Promise<'reminded' | 'erased' | 'nothing'> {
  const found = await steps.find(due)
  if (found !== undefined && due.step === 'erase') return steps.erase(found)
  // If the run is too late, it sends no reminder: the deletion can no longer be undone.
  const isInTime = found !== undefined && clock.now() < due.eraseAfter
  if (isInTime) await steps.remind(found)
  await deletions.dismiss(due)
  return isInTime ? 'reminded' : 'nothing'
}
