import { createHash } from 'node:crypto'
import { isApiClient, type Principal } from '../../core/identity.ts'
import type { PrincipalId, UserId } from '../../core/ids.ts'

/** The user who redeems a coupon: each may once. */
export interface Redeemer {
  /** SHA-256 of the id in hex: the redemption still counts when the user is erased. */
  digest: string
  /** Earlier versions stored a redemption under this id. */
  earlierId: PrincipalId
}

/**
 * The user who redeems a coupon when this caller buys. Of an API client it is the user who created it, because clients are created and
 * deleted at will. Clients whose creator was not stored count as one user for each organization.
 */
export function redeemerOf(caller: Principal, createdBy: UserId | undefined): Redeemer {
  if (!isApiClient(caller)) return { digest: redeemerDigest(caller.userId), earlierId: caller.userId }
  if (createdBy !== undefined) return { digest: redeemerDigest(createdBy), earlierId: createdBy }
  return { digest: redeemerDigest(caller.organizationId), earlierId: caller.apiClientId }
}

/** The digest under which the redemptions of this user are stored. */
export function redeemerDigest(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
