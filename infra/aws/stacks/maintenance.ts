import type { StageSettings } from '../../data/stages.ts'
import type { FunctionRow } from '../../manifest.ts'

const writes: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

/**
 * Whether a function is stopped while the stage is in maintenance: each that may write the table `billing`, the webhook and the schedules
 * among them. What only reads goes on. Derived from the manifest, so that no new function can be forgotten.
 */
export function isStopped({ maintenance }: StageSettings, { tables }: Pick<FunctionRow, 'tables'>): boolean {
  return maintenance && (tables.billing ?? []).some((action) => writes.has(action))
}
