import * as z from 'zod/mini'

/** Ids are returned and looked up as lower-case hyphenated UUIDs. */
const uuid = z.guid().check(z.toLowerCase())

export const userIdSchema = uuid.brand<'UserId'>()
export type UserId = z.infer<typeof userIdSchema>

export const organizationIdSchema = uuid.brand<'OrganizationId'>()
export type OrganizationId = z.infer<typeof organizationIdSchema>

/**
 * The id with which an API client of an organization authenticates (RFC 6749 §2.2): the organization's id and the client's own, without
 * hyphens. The client is stored with its organization, so the id leads to both.
 */
export const apiClientIdSchema = z
  .string()
  .check(z.regex(/^client_[0-9a-f]{32}_[0-9a-f]{32}$/))
  .brand<'ApiClientId'>()
export type ApiClientId = z.infer<typeof apiClientIdSchema>

/** The id with which a service client of the operator authenticates. */
export const serviceClientIdSchema = z
  .string()
  .check(z.regex(/^service_[0-9a-f]{32}$/))
  .brand<'ServiceClientId'>()
export type ServiceClientId = z.infer<typeof serviceClientIdSchema>

/** The actor: a user, an API client of an organization or a service client. No id is of two kinds. */
export const principalIdSchema = z.union([apiClientIdSchema, serviceClientIdSchema, userIdSchema])
export type PrincipalId = z.infer<typeof principalIdSchema>

/** The service's only source of randomness. No guarantee about money depends on it. */
export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string
  /** 32 random bytes as base64url (43 characters): codes, refresh tokens, secrets. */
  secret(): string
}

/** The id with which the API client `id`, a UUID, of an organization authenticates. */
export function apiClientIdOf(organizationId: OrganizationId, id: string): ApiClientId {
  return apiClientIdSchema.parse(`client_${organizationId}_${id}`.replaceAll('-', ''))
}

/** The id with which the service client `id`, a UUID, authenticates. */
export function serviceClientIdOf(id: string): ServiceClientId {
  return serviceClientIdSchema.parse(`service_${id.replaceAll('-', '')}`)
}

/** The organization of an API client, and the client's own id, a UUID. The inverse of `apiClientIdOf`. */
export function partsOfApiClientId(clientId: ApiClientId): { organizationId: OrganizationId; id: string } {
  const [, organization = '', id = ''] = clientId.split('_')
  return { organizationId: organizationIdSchema.parse(hyphenated(organization)), id: hyphenated(id) }
}

function hyphenated(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
