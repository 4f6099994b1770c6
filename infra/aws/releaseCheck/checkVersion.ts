import * as z from 'zod/mini'
import type { FunctionRow } from '../../manifest.ts'
import { refusalOf } from './refusalOf.ts'

/**
 * What came of an invocation: what the function answered, or that it failed (`X-Amz-Function-Error`); or that it had no room, or still
 * runs, after as long as is waited.
 */
export type Invoked =
  | { readonly functionError: string | undefined; readonly payload: string }
  | 'no room'
  | 'still runs'

/** Calls one version of a function. Rejects where Lambda cannot. */
export type Invoke = (functionName: string, version: string, event: object) => Promise<Invoked>

/** The version to check: its function's row, and the names on AWS. */
export interface NewVersion {
  readonly row: Pick<FunctionRow, 'trigger'>
  readonly functionName: string
  readonly version: string
}

const answer = z.object({ statusCode: z.int().check(z.gte(200), z.lte(499)) })

/**
 * Sends a refusal to a version that has no traffic yet: it must start with its settings, and answer anything but a fault. A schedule must run, or
 * go on running: a reconciliation takes 15 minutes, and no other begins beside it.
 * @throws Error that says what it did instead
 */
export async function checkVersion({ row, functionName, version }: NewVersion, invoke: Invoke, edgeKey?: string) {
  const invoked = await invoke(functionName, version, refusalOf(row, edgeKey))
  const name = `${functionName}:${version}`
  const isSchedule = row.trigger.kind === 'schedule'
  if (typeof invoked === 'string') {
    if (isSchedule) return invoked
    throw new Error(`${name}: ${invoked}`)
  }
  const { functionError, payload } = invoked
  // What a failure says may quote what the function was sent or holds: its log has it.
  if (functionError !== undefined) throw new Error(`${name} failed: ${functionError}`)
  if (isSchedule) return 'ran'
  const { success, data } = answer.safeParse(JSON.parse(payload))
  if (!success) throw new Error(`${name} answered a fault`)
  return data.statusCode
}
