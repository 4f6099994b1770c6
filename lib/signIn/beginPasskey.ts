import type { PasskeyDeps } from '../authenticators/deps.ts'
import { beginPasskeySignIn } from '../authenticators/factors/signInWithPasskey.ts'
import { requiredSecondFactor } from '../authenticators/listAuthenticators.ts'
import type { WebAuthnOptions } from '../authenticators/ports.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'

export interface BeginPasskeyDeps extends PasskeyDeps, Pick<PendingDeps, 'pendingSignIns'> {}

/**
 * Options for the browser to use a passkey in a sign-in. As the only factor, any passkey will do, and the options are the same for everyone.
 * As the second factor, only passkeys of the user who entered the right password in this browser. If no sign-in is pending, or the user has no
 * passkey, the options are those of the only factor, so that they reveal nothing; the form is refused then.
 * @param secret in the session cookie
 * @throws CommonError `service_unavailable`
 */
export async function beginPasskey(
  deps: BeginPasskeyDeps,
  { purpose, secret }: { purpose: 'sign_in' | 'second_factor'; secret: string | undefined },
): Promise<WebAuthnOptions> {
  const pending = purpose === 'second_factor' ? await readPendingSignIn(deps, secret) : undefined
  const userId = pending?.user.id
  const isSecond = userId !== undefined && (await requiredSecondFactor(deps, userId)).includes('passkey')
  return beginPasskeySignIn(deps, isSecond ? { purpose: 'second_factor', userId } : { purpose: 'only_factor' })
}
