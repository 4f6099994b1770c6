import type { AuthenticatorDeps } from '../authenticators/deps.ts'
import { requiredSecondFactor } from '../authenticators/listAuthenticators.ts'
import type { SecondFactor } from '../authenticators/ports.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'
import type { LoginProblem } from './ports.ts'
import type { CompanyProvider, CompanyProviders, SignInProvider, SignInProviders } from './provider/ports.ts'

export interface AskSignInDeps extends PendingDeps, Pick<AuthenticatorDeps, 'authenticators'>, AskPasswordDeps {}

export interface AskPasswordDeps {
  readonly providers: Pick<SignInProviders, 'list'>
  /** For asking for the address first, which may be of a company with a single sign-on. Undefined: the stage has none, and asks for address and password together. */
  readonly addressFirst: Pick<CompanyProviders, 'findByAddress'> | undefined
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
  /** The address alone. */
  | { readonly step: 'address'; readonly email: string; readonly problem?: SignInProblem }
  | {
      readonly step: 'password'
      readonly email: string
      /** Whether the address was asked for before. */
      readonly isAddressKnown: boolean
      /** The single sign-on of the address's domain. */
      readonly company: Pick<CompanyProvider, 'id' | 'name'> | undefined
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

/**
 * The first form: the address on stages with single sign-on, then every way to sign in. What it offers for an address depends on its domain alone,
 * so neither the answer nor its time says if the address has an account.
 */
export async function askPassword(
  { providers, addressFirst }: AskPasswordDeps,
  form: { readonly email: string; readonly problem?: SignInProblem },
): Promise<SignInQuestion> {
  if (addressFirst === undefined)
    return { step: 'password', ...form, isAddressKnown: false, company: undefined, providers: await providers.list() }
  if (form.email === '') return { step: 'address', ...form }
  const [company, offered] = await Promise.all([addressFirst.findByAddress(form.email), providers.list()])
  return { step: 'password', ...form, isAddressKnown: true, company, providers: offered }
}

/** Whether the next step of a sign-in is a form. */
export function isSignInQuestion<Step extends { readonly step: string }>(
  step: Step | SignInQuestion,
): step is SignInQuestion {
  return step.step === 'address' || step.step === 'password' || step.step === 'second_factor'
}
