import type { AuthenticatorDeps } from '../authenticators/deps.ts'
import { requiredSecondFactor } from '../authenticators/listAuthenticators.ts'
import type { SecondFactor } from '../authenticators/ports.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'
import type { LoginProblem } from './ports.ts'
import type { SignInProvider, SignInProviders } from './provider/ports.ts'

export interface AskSignInDeps extends PendingDeps, Pick<AuthenticatorDeps, 'authenticators'> {
  readonly providers: Pick<SignInProviders, 'list'>
}

/** Why the first form is shown again. `sign_in_expired`: the second factor came too late, or the password has changed since. */
export type SignInProblem =
  | LoginProblem
  | { readonly code: 'passkey_refused' }
  | { readonly code: 'passkey_too_new' }
  | { readonly code: 'sign_in_expired' }

/** Why a second factor, or a passkey as the only factor, is refused. */
export type FactorProblem =
  | { readonly code: 'code_refused' }
  /** The authenticator app, after 100 failures in a row: another factor, or a new password, ends it. */
  | { readonly code: 'factor_suspended' }
  | { readonly code: 'passkey_refused' }
  /** As the only factor, in its first 24 hours. */
  | { readonly code: 'passkey_too_new' }
  | { readonly code: 'too_many_attempts'; readonly retryAfterSeconds: number }

/** Why the second form is shown again. */
export type SecondFactorProblem = FactorProblem & { readonly factor: SecondFactor }

/** The form that a browser is shown next. */
export type SignInQuestion =
  | {
      readonly step: 'password'
      readonly email: string
      /** Offered beside the password. */
      readonly providers: readonly Pick<SignInProvider, 'id' | 'name'>[]
      readonly problem?: SignInProblem
    }
  | {
      readonly step: 'second_factor'
      readonly email: string
      /** Any of these. */
      readonly factors: readonly SecondFactor[]
      readonly problem?: SecondFactorProblem
    }

/**
 * The form for a browser without a session: the second factor after the right password, else the password. The same whatever the user signs in
 * to. Writes nothing.
 * @param secret in the session cookie
 * @throws CommonError `service_unavailable`
 */
export async function askSignIn(deps: AskSignInDeps, secret: string | undefined): Promise<SignInQuestion> {
  const pending = await readPendingSignIn(deps, secret)
  const factors = pending === undefined ? [] : await requiredSecondFactor(deps, pending.user.id)
  if (pending === undefined || factors.length === 0) return askPassword(deps, { email: '' })
  return { step: 'second_factor', email: pending.user.email, factors }
}

/** The first form, with every other way to sign in. */
export async function askPassword(
  { providers }: Pick<AskSignInDeps, 'providers'>,
  form: { readonly email: string; readonly problem?: SignInProblem },
): Promise<SignInQuestion> {
  return { step: 'password', ...form, providers: await providers.list() }
}
