import type { OrganizationId } from '../../core/ids.ts'

/** One for each email address: a new invitation replaces the one before. */
export function invitationKey(organizationId: OrganizationId, id: string) {
  return { pk: `ORG#${organizationId}`, sk: `INVITE#${id}` }
}

/** Finds the invitation of a token, and holds who used it. */
export function tokenKey(tokenDigest: string) {
  return { pk: `INVITE#${tokenDigest}`, sk: 'INVITE' }
}
