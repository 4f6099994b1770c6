import * as z from 'zod'
import { type OwnOrganization, roleSchema } from './ports.ts'

/** An organization as the API shows it to one of its members. */
export const organizationResource = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  /** The caller's. */
  role: roleSchema,
  created_at: z.iso.datetime(),
})

/** An organization as the API shows it, and nothing else that is stored. */
export function toOrganizationResource({ organization, role }: OwnOrganization): z.infer<typeof organizationResource> {
  return { id: organization.id, name: organization.name, role, created_at: organization.createdAt }
}
