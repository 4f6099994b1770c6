import type { UserAuthenticators } from '../../authenticators/ports.ts'
import type { AccountLink, AddedAuthenticator, AuthenticatorRemoval } from '../ports.ts'

/** A reset of the password may remove what was added within this time before it was asked for: 14 days. */
const REMOVABLE_MS = 14 * 24 * 3_600_000

/** An authenticator as pages of links list it. All recovery codes are a single entry. */
interface ListedAuthenticator extends AddedAuthenticator {
  /** Unique for its user. */
  readonly id: string
  readonly browser: string | undefined
  readonly sourceIp: string | undefined
}

/** A user's authenticators, in the order in which they were added. */
function listed({ passkeys, totp, recoveryCodes }: UserAuthenticators): ListedAuthenticator[] {
  const entries = [
    ...passkeys.map(({ id, name, ...addition }) => ({ type: 'passkey' as const, id, name, ...addition })),
    ...(totp ? [{ type: 'totp' as const, id: 'totp', name: null, ...totp }] : []),
    ...(recoveryCodes ? [{ type: 'recovery_codes' as const, id: 'recovery_codes', name: null, ...recoveryCodes }] : []),
  ]
  return entries
    .map(({ id, type, name, createdAt: at, addedFrom: { browser, sourceIp } = {} }) => ({
      ...{ id, type, name, at },
      ...{ browser, sourceIp },
    }))
    .toSorted((a, b) => a.at - b.at)
}

/** An authenticator in the list of a reset. */
export interface ResetOption extends ListedAuthenticator {
  readonly isRemovable: boolean
}

/** A user's authenticators, with those that a reset by this link may remove: also what was added after it was asked for. */
export function resetOptions(
  own: UserAuthenticators,
  { issuedAt, validUntil }: Pick<AccountLink, 'issuedAt' | 'validUntil'>,
): ResetOption[] {
  const since = (issuedAt ?? validUntil) - REMOVABLE_MS
  return listed(own).map((one) => ({ ...one, isRemovable: one.at >= since }))
}

/** What was added by the addition that a link undoes, or later. */
export function addedSince(own: UserAuthenticators, { added }: Pick<AccountLink, 'added'>): ListedAuthenticator[] {
  return listed(own).filter(({ at }) => added !== undefined && at >= added.at)
}

/** The removal of these authenticators, of all that the user has. */
export function removalOf(own: UserAuthenticators, removed: readonly ListedAuthenticator[]): AuthenticatorRemoval {
  const has = (type: ListedAuthenticator['type'], id: string) =>
    removed.some((one) => one.type === type && one.id === id)
  return {
    read: own,
    removed: {
      passkeys: own.passkeys.filter(({ id }) => has('passkey', id)),
      totp: has('totp', 'totp') ? own.totp : undefined,
      recoveryCodes: has('recovery_codes', 'recovery_codes') ? own.recoveryCodes : undefined,
    },
  }
}
