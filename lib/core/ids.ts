import * as z from 'zod'

/** Ids are returned and looked up as lower-case hyphenated UUIDs. */
const uuid = z.guid().toLowerCase()

export const userIdSchema = uuid.brand<'UserId'>()
export type UserId = z.infer<typeof userIdSchema>

export const organizationIdSchema = uuid.brand<'OrganizationId'>()
export type OrganizationId = z.infer<typeof organizationIdSchema>

/** The service's only source of randomness. No guarantee about money depends on it. */
export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string
  /** 32 random bytes as base64url (43 characters): codes, refresh tokens, secrets. */
  secret(): string
}
