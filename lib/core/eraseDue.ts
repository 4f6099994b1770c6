import type { Clock } from './clock.ts'
import type { DueDeletion } from './deletion.ts'

/** What a run did: reminders sent, things erased, and steps that failed and are due again at the next run. */
export interface ErasureReport {
  reminded: number
  erased: number
  failed: number
}

/**
 * Takes each step that is due, whatever became of the others.
 * @param run `takeStep` may throw: `failed` gets the error, and the step is due again at the next run
 * @param finishBy Unix milliseconds; what is due later in the list is left for the next run
 * @throws CommonError `service_unavailable` where what is due cannot be listed
 */
export async function eraseDue<Id>(
  { deletions, clock }: { deletions: { listDue(now: number): Promise<readonly DueDeletion<Id>[]> }; clock: Clock },
  run: {
    takeStep(due: DueDeletion<Id>): Promise<'reminded' | 'erased' | 'nothing'>
    failed(due: DueDeletion<Id>, error: unknown): void
  },
  finishBy: number,
): Promise<ErasureReport> {
  const report = { reminded: 0, erased: 0, failed: 0 }
  for (const due of await deletions.listDue(clock.now())) {
    if (clock.now() >= finishBy) break
    try {
      const done = await run.takeStep(due)
      if (done !== 'nothing') report[done] += 1
    } catch (error) {
      report.failed += 1
      run.failed(due, error)
    }
  }
  return report
}
