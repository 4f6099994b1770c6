import { findRow } from '../../infra/local/http/router.ts'
import { invokeFunction } from '../../infra/local/invokeFunction.ts'

/** One run of a schedule's function that changes what it finds. Throws what the function throws. */
export async function runSchedule(name: string, event: object = {}): Promise<unknown> {
  const row = findRow(name)
  if (row === undefined) throw new Error(`No function ${name}`)
  return invokeFunction(row, { ...event, dry_run: false })
}
