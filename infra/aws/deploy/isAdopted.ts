import * as z from 'zod'
import type { RunAws } from './awsCommand.ts'
import { readIfThere } from './deployedStage.ts'

/** The record of the last pass, as far as it says which table it is of and whether it only adopts (`lib/adapters/dynamodb/passStore.ts`). */
const pass = z.object({
  table: z.object({ S: z.string() }).optional(),
  adoptOnly: z.object({ BOOL: z.boolean() }),
  phase: z.object({ S: z.string() }),
})

/**
 * Whether a pass that only adopts is complete in a table that was restored from a backup. Before that, slots lack what was bought since the
 * backup, and a purchase would be made twice.
 */
export function isAdopted(aws: RunAws, table: string): boolean {
  const key = JSON.stringify({ pk: { S: 'RECONCILIATION' }, sk: { S: 'PASS' } })
  const item = readIfThere(
    aws,
    ...['dynamodb', 'get-item', '--table-name', table, '--key', key, '--consistent-read', '--query', 'Item'],
  )
  const last = pass.nullish().parse(item)
  if (last?.table?.S !== table) return false
  // An ordinary pass begins only after one.
  return !last.adoptOnly.BOOL || last.phase.S === 'complete'
}
