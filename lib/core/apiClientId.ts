import { type ApiClientId, apiClientIdSchema, type OrganizationId, organizationIdSchema } from './ids.ts'

/** The id with which the API client `id`, a UUID, of an organization authenticates. */
export function apiClientIdOf(organizationId: OrganizationId, id: string): ApiClientId {
  return apiClientIdSchema.parse(`client_${organizationId}_${id}`.replaceAll('-', ''))
}

/** The organization of an API client, and the client's own id, a UUID. The inverse of `apiClientIdOf`. */
export function partsOfApiClientId(clientId: ApiClientId): { organizationId: OrganizationId; id: string } {
  const [, organization = '', id = ''] = clientId.split('_')
  return { organizationId: organizationIdSchema.parse(hyphenated(organization)), id: hyphenated(id) }
}

function hyphenated(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
