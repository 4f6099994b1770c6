import * as z from 'zod/mini'
import { described, documented, named, nextCursor } from '../http/schema.ts'
import { auditActions, auditDetails, isAuditAction } from './auditActions.ts'
import { type AuditDetail, auditDetailResource } from './auditDetail.ts'
import { type AuditPage, auditActorTypeSchema, type StoredAuditEntry } from './ports.ts'

/** An entry of the audit log in the API. Its time has milliseconds, so changes within a second keep their order. */
export const auditEntryResource = named(
  'AuditEntry',
  z.strictObject({
    id: described('The entry’s id', z.uuid()),
    at: described('When it was done, to the millisecond', z.iso.datetime()),
    actor: described(
      'Who did it',
      z.strictObject({
        type: described('The kind of actor', auditActorTypeSchema),
        id: described('The user or client; null for every other kind', z.nullable(z.string())),
      }),
    ),
    action: described('What was done', documented({ 'x-extensible-enum': auditActions }, z.string())),
    target: described('What it was done to: an id, a product, or the organization', z.string()),
    detail: described('What changed: the members that `action` has', auditDetailResource),
  }),
)

export const auditLogResource = z.strictObject({
  entries: described('The entries, the newest first', z.array(auditEntryResource)),
  next_cursor: nextCursor,
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
  return { id, at: new Date(at).toISOString(), actor, action, target, detail: detailOf(action, detail) }
}

/** The members of an action that may be shown. All of them, if another version wrote the action. */
function detailOf(action: string, detail: StoredAuditEntry['detail']): AuditDetail {
  const members: readonly string[] = Object.keys(isAuditAction(action) ? auditDetails[action].shape : detail)
  const shown = Object.fromEntries(Object.entries(detail).filter(([name]) => members.includes(name)))
  return auditDetailResource.safeParse(shown).data ?? {}
}
