import type { Caller } from '../core/identity.ts'
import type { UserId } from '../core/ids.ts'
import type { AuthenticatorDeps, ConnectedProviderDeps } from './deps.ts'
import type {
  Passkey,
  ProviderConnection,
  RecoveryCodes,
  SecondFactor,
  TotpAuthenticator,
  UserAuthenticators,
} from './ports.ts'

/** What users see of their own authenticators: no key and no secret. Times are Unix milliseconds. */
export interface AuthenticatorList {
  readonly passkeys: readonly Pick<
    Passkey,
    'id' | 'name' | 'backupEligible' | 'backedUp' | 'createdAt' | 'lastUsedAt'
  >[]
  readonly totp: Pick<TotpAuthenticator, 'createdAt' | 'lastUsedAt'> | undefined
  readonly recoveryCodes: RecoveryCodes | undefined
}

/**
 * Lists the calling user's authenticators.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function listAuthenticators(
  { accounts, authenticators }: Pick<AuthenticatorDeps, 'accounts' | 'authenticators'>,
  caller: Caller,
): Promise<AuthenticatorList> {
  const [{ passkeys, totp, recoveryCodes }] = await Promise.all([
    authenticators.list(caller.userId),
    accounts.findCaller(caller),
  ])
  return {
    passkeys: passkeys.map(({ publicKey: _, counter: __, transports: ___, ...shown }) => shown),
    totp: totp && { createdAt: totp.createdAt, lastUsedAt: totp.lastUsedAt },
    recoveryCodes,
  }
}

/**
 * Lists the accounts at OpenID providers that the calling user has connected, those that no longer sign in included.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function listProviderConnections(
  { accounts, connections }: Pick<ConnectedProviderDeps, 'accounts' | 'connections'>,
  caller: Caller,
): Promise<readonly ProviderConnection[]> {
  const [own] = await Promise.all([connections.list(caller.userId), accounts.findCaller(caller)])
  return own
}

/**
 * The second factors that a user may use after a right password. If the list is empty, none is asked for. It contains recovery codes only
 * beside a passkey or TOTP.
 * @throws CommonError `service_unavailable`
 */
export async function requiredSecondFactor(
  { authenticators }: Pick<AuthenticatorDeps, 'authenticators'>,
  userId: UserId,
): Promise<SecondFactor[]> {
  return secondFactorsOf(await authenticators.list(userId))
}

/** The second factors among these authenticators. */
export function secondFactorsOf({ passkeys, totp, recoveryCodes }: UserAuthenticators): SecondFactor[] {
  const own: SecondFactor[] = [
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(totp === undefined ? [] : (['totp'] as const)),
  ]
  return own.length > 0 && (recoveryCodes?.left ?? 0) > 0 ? [...own, 'recovery_code'] : own
}
