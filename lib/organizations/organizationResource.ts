import * as z from 'zod'
import { type OwnOrganization, roleSchema } from './ports.ts'

/** An organization in the API. */
export const organizationResource = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    /** The caller's. */
    role: roleSchema,
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Organization' })

/** Maps an organization to the API's object, without other stored members. */
export function toOrganizationResource({ organization, role }: OwnOrganization): z.infer<typeof organizationResource> {
  return { id: organization.id, name: organization.name, role, created_at: organization.createdAt }
}
