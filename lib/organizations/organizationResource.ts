import * as z from 'zod/mini'
import { toRfc3339 } from '../core/clock.ts'
import { named } from '../http/schema.ts'
import { type OwnOrganization, roleSchema } from './ports.ts'

/** No control characters, line separators, or characters that change the direction of surrounding text. */
const printable = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+$/u

/** An organization's name: 1 to 100 characters, trimmed. */
export const organizationName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), z.regex(printable))

/** An organization in the API. */
export const organizationResource = named(
  'Organization',
  z.strictObject({
    id: z.uuid(),
    name: z.string(),
    /** The caller's role. */
    role: roleSchema,
    created_at: z.iso.datetime(),
    /** Only while the organization is being deleted: when its erasure begins at the earliest. */
    deletion_at: z.exactOptional(z.iso.datetime()),
  }),
)

/** Maps an organization to the API's object, without other stored members. */
export function toOrganizationResource({ organization, role }: OwnOrganization): z.infer<typeof organizationResource> {
  const { id, name, createdAt, deletion } = organization
  const at = deletion === undefined ? {} : { deletion_at: toRfc3339(deletion.eraseAfter) }
  return { id, name, role, created_at: createdAt, ...at }
}
