import * as z from 'zod'

/** Ids leave the system as lower-case hyphenated UUIDs and are looked up as such. */
const uuid = z.guid().toLowerCase()

export const userIdSchema = uuid.brand<'UserId'>()
export type UserId = z.infer<typeof userIdSchema>

export const organizationIdSchema = uuid.brand<'OrganizationId'>()
export type OrganizationId = z.infer<typeof organizationIdSchema>

/** The service's only source of chance. Nothing that keeps money safe is derived from it. */
export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string
  /** 32 random bytes as base64url (43 characters): codes, refresh tokens, secrets. */
  secret(): string
}
