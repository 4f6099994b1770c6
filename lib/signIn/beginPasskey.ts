import type { WebAuthnOptions } from '../authenticators/ports.ts'
import type { PasskeyOptions } from '../oauth/ports.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'

export interface BeginPasskeyDeps extends Pick<PendingDeps, 'pendingSignIns' | 'accounts' | 'clock'> {
  readonly passkeyOptions: PasskeyOptions
}

/**
 * Options for the browser to use a passkey in a sign-in: any passkey, for a user who is not known yet, the same for everyone; as the second
 * factor those of the user whose password was right in this browser. Where no sign-in is pending these are the first as well, so that nothing
 * is said; the form is refused then.
 * @param secret in the session cookie
 * @throws CommonError `service_unavailable`
 */
export async function beginPasskey(
  deps: BeginPasskeyDeps,
  { purpose, secret }: { purpose: 'sign_in' | 'second_factor'; secret: string | undefined },
): Promise<WebAuthnOptions> {
  const pending = purpose === 'second_factor' ? await readPendingSignIn(deps, secret) : undefined
  return deps.passkeyOptions(pending?.user.id)
}
