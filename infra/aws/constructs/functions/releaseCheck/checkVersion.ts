import * as z from 'zod/mini'
import { releaseCheckReport } from '../../../../../lib/http/releaseCheck.ts'
import type { FunctionRow } from '../../../../manifest.ts'
import { checkEventOf } from './checkEventOf.ts'

/**
 * What came of an invocation: what the function answered, or that it failed (`X-Amz-Function-Error`); or that it had no room for as long as is
 * waited.
 */
type Invoked = { readonly functionError: string | undefined; readonly payload: string } | 'no room'

/** Calls one version of a function. Rejects where Lambda cannot. */
export type Invoke = (functionName: string, version: string, event: object) => Promise<Invoked>

/** The version to check: its function's row, and the names on AWS. */
interface NewVersion {
  readonly row: Pick<FunctionRow, 'trigger'>
  readonly functionName: string
  readonly version: string
}

const answer = z.object({ statusCode: z.int().check(z.gte(200), z.lte(499)) })

/**
 * Sends a version that has no traffic yet what it answers without doing anything: it must start with its settings, and answer no fault. A schedule
 * must pass its check, unless its own run takes the one place there is for all the time: that is no fault of the new version.
 * @throws Error that says what it did instead
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
  // What a failure says may quote what the function was sent or holds: its log has it.
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
