import { type ApiClientId, type OrganizationId, partsOfApiClientId } from '../../core/ids.ts'
import type { Key } from './kit/readItems.ts'

/** The partition of an organization's API clients, in the table `accounts`. */
export function apiClientPartition(organizationId: OrganizationId): string {
  return `API_CLIENTS#${organizationId}`
}

/** The key of an API client. */
export function apiClientKey(clientId: ApiClientId): Key {
  const { organizationId, id } = partsOfApiClientId(clientId)
  return { pk: apiClientPartition(organizationId), sk: `API_CLIENT#${id}` }
}
