import * as z from 'zod'
import type { FunctionRow } from '../../manifest.ts'
import { refusalOf } from './refusalOf.ts'

/** The answer of Lambda to an invocation: what the function answered, or that it failed (`X-Amz-Function-Error`). */
export interface Invoked {
  readonly functionError: string | undefined
  readonly payload: string
}

/** Calls one version of a function. Rejects where Lambda cannot. */
export type Invoke = (functionName: string, version: string, event: object) => Promise<Invoked>

/** The version to check: its function's row, and the names on AWS. */
export interface NewVersion {
  readonly row: Pick<FunctionRow, 'trigger'>
  readonly functionName: string
  readonly version: string
}

const answer = z.object({ statusCode: z.int().min(200).max(499) })

/**
 * Sends a refusal to a version that has no traffic yet: it must start with its settings, and answer anything but a fault. A schedule must run.
 * @throws Error that says what it did instead
 */
export async function checkVersion({ row, functionName, version }: NewVersion, invoke: Invoke, edgeKey?: string) {
  const { functionError, payload } = await invoke(functionName, version, refusalOf(row, edgeKey))
  const name = `${functionName}:${version}`
  // What a failure says may quote what the function was sent or holds: its log has it.
  if (functionError !== undefined) throw new Error(`${name} failed: ${functionError}`)
  if (row.trigger.kind === 'schedule') return
  const { success, data } = answer.safeParse(JSON.parse(payload))
  if (!success) throw new Error(`${name} answered a fault`)
  return data.statusCode
}
