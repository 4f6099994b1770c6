import { type ApiClientId, type OrganizationId, partsOfApiClientId, type UserId } from '../../core/ids.ts'
import type { Key } from './kit/readItems.ts'

/** The key of a user, in the table `accounts`. */
export function userKey(userId: UserId): Key {
  return { pk: `USER#${userId}`, sk: 'USER' }
}

/**
 * The key of a family's revocation. The item exists if and only if the family is revoked, so revoking and issuing may happen in any order.
 */
export function revocationKey(familyId: string): Key {
  return { pk: `TOKEN_FAMILY#${familyId}`, sk: 'REVOCATION' }
}

/** The key of an invitation, unique per email address: a new invitation replaces the previous one. */
export function invitationKey(organizationId: OrganizationId, id: string) {
  return { pk: `ORG#${organizationId}`, sk: `INVITE#${id}` }
}

/** The key under which a token leads to its invitation, and to its user once used. */
export function invitationTokenKey(tokenDigest: string) {
  return { pk: `INVITE#${tokenDigest}`, sk: 'INVITE' }
}

/** The key of a registered client, in the table `accounts`. */
export function oauthClientKey(clientId: string): Key {
  return { pk: `CLIENT#${clientId}`, sk: 'CLIENT' }
}

/** The partition of an organization's API clients, in the table `accounts`. */
export function apiClientPartition(organizationId: OrganizationId): string {
  return `API_CLIENTS#${organizationId}`
}

/** The key of an API client. */
export function apiClientKey(clientId: ApiClientId): Key {
  const { organizationId, id } = partsOfApiClientId(clientId)
  return { pk: apiClientPartition(organizationId), sk: `API_CLIENT#${id}` }
}
