import { productCode } from '../slot/slot.ts'
import type { PassRecords } from './passContext.ts'

/** Pass records for a dry run: it reads the stored slots, writes nothing, and keeps its marks in memory. */
export function dryRunPasses(passes: PassRecords): PassRecords {
  const seen = new Set<string>()
  return {
    readPass: async () => undefined,
    writePass: async () => true,
    readSlots: (names) => passes.readSlots(names),
    async markSeen(slot) {
      seen.add(productCode(slot))
    },
    async listHeld(passId, cursor) {
      const page = await passes.listHeld(passId, cursor)
      return { ...page, rows: page.rows.map((row) => ({ ...row, seen: seen.has(productCode(row.slot)) })) }
    },
  }
}
