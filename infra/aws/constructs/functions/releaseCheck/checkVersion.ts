import * as z from 'zod/mini'
import { releaseCheckReport } from '../../../../../lib/http/endpoint/releaseCheck.ts'
import type { FunctionRow } from '../../../../manifest.ts'
import { checkEventOf } from './checkEventOf.ts'

/**
 * The outcome of an invocation: the function's answer, or its failure (`X-Amz-Function-Error`), or `no room` if Lambda answered 429 until the
 * wait was over.
 */
type Invoked = { readonly functionError: string | undefined; readonly payload: string } | 'no room'

/** Calls a version of a function. Rejects if Lambda cannot. */
export type Invoke = (functionName: string, version: string, event: object) => Promise<Invoked>

/** The version to check: its function's row, and the names on AWS. */
interface NewVersion {
  readonly row: Pick<FunctionRow, 'trigger'>
  readonly functionName: string
  readonly version: string
}

const answer = z.object({ statusCode: z.int().check(z.gte(200), z.lte(499)) })

/**
 * Sends a version without traffic an event that has no side effects: it must start with its settings and not answer 5xx. A scheduled function
 * must pass its check, unless its own run holds the only reserved execution all the time: that is not the new version's fault.
 * @throws Error that says what the version did instead
 */
export async function checkVersion({ row, functionName, version }: NewVersion, invoke: Invoke, edgeKey?: string) {
  const invoked = await invoke(functionName, version, checkEventOf(row, edgeKey))
  const name = `${functionName}:${version}`
  const isSchedule = row.trigger.kind === 'schedule'
  if (invoked === 'no room') {
    if (isSchedule) return invoked
    throw new Error(`${name}: ${invoked}`)
  }
  const { functionError, payload } = invoked
  // Leave the error's text to the function's log: it may quote secrets or the event.
  if (functionError !== undefined) throw new Error(`${name} failed: ${functionError}`)
  const answered: unknown = JSON.parse(payload)
  if (isSchedule) {
    if (!releaseCheckReport.safeParse(answered).success) throw new Error(`${name} did not take the check for one`)
    return 'passed'
  }
  const { success, data } = answer.safeParse(answered)
  if (!success) throw new Error(`${name} answered a fault`)
  return data.statusCode
}
