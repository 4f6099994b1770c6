import { type IdempotencyKeys, KEY_LIFE_MS, type KeyRecord } from '../../../lib/core/idempotency.ts'

/** `IdempotencyKeys` in memory; passes the same rules as the adapter. */
export function inMemoryIdempotencyKeys(): IdempotencyKeys {
  const stored = new Map<string, KeyRecord & { validUntil: number }>()
  const valid = (key: string, now: number) => {
    const record = stored.get(key)
    if (record === undefined || record.validUntil <= now) return undefined
    const { validUntil: _, ...known } = record
    return known
  }
  const change = (key: string, held: KeyRecord, changed: Partial<KeyRecord>) => {
    const record = stored.get(key)
    if (record?.resourceId !== held.resourceId || record.answer) return
    stored.set(key, { ...record, ...changed })
  }
  return {
    find: async (key, now) => valid(key, now),
    async begin(key, use, now) {
      const found = valid(key, now)
      if (found === undefined) {
        stored.set(key, { ...use, validUntil: now + KEY_LIFE_MS })
        return use
      }
      if (found.answer || found.bodyDigest !== use.bodyDigest) return undefined
      if (use.leaseUntil <= now) return found
      if (found.leaseUntil > now) return undefined
      change(key, found, { leaseUntil: use.leaseUntil })
      return { ...found, leaseUntil: use.leaseUntil }
    },
    complete: async (key, held, answer) => change(key, held, { answer }),
    async release(key, held) {
      if (stored.get(key)?.leaseUntil === held.leaseUntil) change(key, held, { leaseUntil: 0 })
    },
  }
}
