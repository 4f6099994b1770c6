import * as z from 'zod/mini'
import { documented } from '../http/schema.ts'
import { auditActions } from './auditActions.ts'
import { type AuditPage, auditActorTypeSchema, type StoredAuditEntry } from './ports.ts'

/** An entry of the audit log in the API. Its time has milliseconds, so changes within a second keep their order. */
export const auditEntryResource = z.strictObject({
  id: z.uuid(),
  at: z.iso.datetime(),
  actor: z.strictObject({ type: auditActorTypeSchema, id: z.nullable(z.string()) }),
  action: documented({ 'x-extensible-enum': auditActions }, z.string()),
  target: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.int(), z.null(), z.array(z.string())])),
})

export const auditLogResource = z.strictObject({
  entries: z.array(auditEntryResource),
  next_cursor: z.nullable(z.string()),
})

/** Maps a page of the audit log to the API's object; `toCursor` makes the cursor of the next page. */
export function toAuditLogResource(
  { entries, next }: AuditPage,
  toCursor: (position: string | undefined) => string | null,
): z.infer<typeof auditLogResource> {
  return { entries: entries.map(toAuditEntryResource), next_cursor: toCursor(next) }
}

/** Maps an entry to the API's object. */
export function toAuditEntryResource({ id, at, actor, action, target, detail }: StoredAuditEntry) {
  return { id, at: new Date(at).toISOString(), actor, action, target, detail: { ...detail } }
}
