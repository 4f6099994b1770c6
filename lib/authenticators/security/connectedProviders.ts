import type { Caller } from '../../core/identity.ts'
import type { Account } from '../../users/ports.ts'
import type { ConnectedProviderDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import type { ProviderConnection } from '../ports.ts'

/** A connected provider as its user sees it. */
export interface ConnectedProvider extends Pick<ProviderConnection, 'id' | 'email' | 'connectedAt'> {
  /** The provider's; the host of its issuer if it is no longer on offer. */
  readonly name: string
  /** False since a new password or address. */
  readonly signsIn: boolean
  /** Whether the account has neither a password nor another provider that signs in. */
  readonly isOnlyWay: boolean
}

/**
 * The providers that are connected with an account, the oldest first.
 * @throws CommonError `service_unavailable`
 */
export async function listConnectedProviders(
  { connections, providers }: Pick<ConnectedProviderDeps, 'connections' | 'providers'>,
  account: Account,
): Promise<ConnectedProvider[]> {
  const own = await connections.list(account.user.id)
  const offered = own.length > 0 ? await providers.list() : []
  return own.map((connection) => {
    const { id, providerId, issuer, email, connectedAt } = connection
    const name = offered.find((provider) => provider.id === providerId)?.name ?? new URL(issuer).host
    const isOnlyWay = otherWayIn(account, own, connection) === 'none'
    return { id, email, connectedAt, name, signsIn: signsInTo(account, connection), isOnlyWay }
  })
}

/**
 * Disconnects a provider from the calling user's account; it no longer signs in. No session ends. The caller must have checked for a recent
 * sign-in with a second factor.
 * @throws AuthenticatorError `authenticator_not_found`, `last_way_to_sign_in`; CommonError `invalid_token`, `service_unavailable`
 */
export async function disconnectProvider(
  { accounts, connections }: Pick<ConnectedProviderDeps, 'accounts' | 'connections'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const [account, own] = await Promise.all([accounts.findCaller(caller), connections.list(caller.userId)])
  const connection = own.find((one) => one.id === id)
  if (connection === undefined) throw new AuthenticatorError('authenticator_not_found')
  const other = otherWayIn(account, own, connection)
  if (other === 'none') throw new AuthenticatorError('last_way_to_sign_in')
  const outcome = await connections.remove(caller, id, other?.id)
  if (outcome === 'refused') throw new AuthenticatorError('last_way_to_sign_in')
  if (outcome === 'not_found') throw new AuthenticatorError('authenticator_not_found')
}

function signsInTo({ credentialsRev = 0 }: Account, connection: ProviderConnection): boolean {
  return connection.credentialsRev === credentialsRev
}

/**
 * Another provider by which the user still gets in; undefined if the account needs none. A passkey is no other way: an account without a password
 * would be locked once its factors are removed as lost.
 */
function otherWayIn(
  account: Account,
  own: readonly ProviderConnection[],
  connection: ProviderConnection,
): ProviderConnection | 'none' | undefined {
  if (account.passwordHash !== undefined || !signsInTo(account, connection)) return undefined
  return own.find((one) => one.id !== connection.id && signsInTo(account, one)) ?? 'none'
}
