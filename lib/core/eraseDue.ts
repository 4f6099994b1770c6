import type { Clock } from './clock.ts'
import type { DueDeletion } from './deletion.ts'

/** What a run did: reminders sent, things erased, and steps that failed and are due again at the next run. */
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

/** What the steps do. Any of them may throw: then the step is due again at the next run. */
interface Steps<Id, Found> {
  /** What is to be erased; undefined where its deletion was taken back, or is another one by now. */
  find(due: DueDeletion<Id>): Promise<Found | undefined>
  remind(found: Found): Promise<void>
  /** `nothing` where it is not to be erased any more. */
  erase(found: Found): Promise<'erased' | 'nothing'>
  failed(due: DueDeletion<Id>, error: unknown): void
}

/**
 * Takes each step that is due, whatever became of the others.
 * @param finishBy Unix milliseconds; what is due later in the list is left for the next run
 * @throws CommonError `service_unavailable` where what is due cannot be listed
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
  // A run that comes too late says nothing: there is no way back any more.
  const isInTime = found !== undefined && clock.now() < due.eraseAfter
  if (isInTime) await steps.remind(found)
  await deletions.dismiss(due)
  return isInTime ? 'reminded' : 'nothing'
}
