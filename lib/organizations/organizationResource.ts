import * as z from 'zod/mini'
import { toRfc3339 } from '../core/clock.ts'
import { type OwnOrganization, roleSchema } from './ports.ts'

/** An organization in the API. */
export const organizationResource = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    /** The caller's. */
    role: roleSchema,
    created_at: z.iso.datetime(),
    /** Only while the organization is being deleted: when its erasure begins at the earliest. */
    deletion_at: z.exactOptional(z.iso.datetime()),
  })
  .register(z.globalRegistry, { id: 'Organization' })

/** Maps an organization to the API's object, without other stored members. */
export function toOrganizationResource({ organization, role }: OwnOrganization): z.infer<typeof organizationResource> {
  const { id, name, createdAt, deletion } = organization
  const at = deletion === undefined ? {} : { deletion_at: toRfc3339(deletion.eraseAfter) }
  return { id, name, role, created_at: createdAt, ...at }
}
