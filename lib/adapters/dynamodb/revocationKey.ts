import type { Key } from './kit/readItems.ts'

/** The key of a family's revocation. An item exists if and only if the family is revoked, so that revoking and issuing may come in any order. */
export function revocationKey(familyId: string): Key {
  return { pk: `TOKEN_FAMILY#${familyId}`, sk: 'REVOCATION' }
}
