import { emailKey } from '../emailKey.ts'
import { UserError } from '../errors.ts'
import { countGuess, type GuessDeps } from '../guess.ts'
import type { Account, Accounts, KnownBrowserCookie, Passwords, SignedIn } from '../ports.ts'
import { failuresOf, guessLimits, type Origin, subjectsOf } from '../signInPolicy.ts'
import { type KnownBrowserDeps, recognizeBrowser, rememberBrowser } from './knownBrowser.ts'

export interface SignInDeps extends GuessDeps, KnownBrowserDeps {
  readonly accounts: Pick<Accounts, 'findByEmail' | 'rehash'>
  readonly passwords: Passwords
}

/** A sign-in attempt. */
interface SignInRequest {
  email: string
  password: string
  sourceIp: string
  /** The cookie of a browser that has signed in before, as it was sent. */
  knownBrowser: string | undefined
}

/**
 * Returns the user with this email address and password, whether a second factor is required, and the cookie of a known browser. If the
 * browser is known for the account, tries count for that browser only; otherwise for the email address, known or not, and for the source
 * IP. Success takes its own try back, and the earlier failures of this account at this source IP. Replaces an outdated password hash.
 * @throws UserError `wrong_credentials` for an unknown address, a wrong password, an inactive user and a registration, in equal time;
 *   TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function signIn(
  deps: SignInDeps,
  { email, password, sourceIp, knownBrowser: cookie }: SignInRequest,
): Promise<{ user: SignedIn; hasSecondFactor: boolean; knownBrowser: KnownBrowserCookie }> {
  const key = emailKey(email)
  const origin = { account: key, sourceIp, knownBrowser: await recognizeBrowser(deps, cookie, key) }
  const at = await countGuess(deps, subjectsOf(origin))
  const account = await deps.accounts.findByEmail(key)
  const { isRight, isOutdated } = await deps.passwords.check(password, account?.passwordHash)
  if (!account?.user.isActive || !account.user.isVerified || !isRight) {
    await countFailure(deps, origin, at)
    throw new UserError('wrong_credentials')
  }
  await Promise.all([takeBack(deps, origin, at), isOutdated && rehash(deps, account, password)])
  const user = { ...account.user, securityRev: account.securityRev }
  const { hasSecondFactor = false } = account
  return { user, hasSecondFactor, knownBrowser: await rememberBrowser(deps, cookie, key) }
}

/**
 * Counts the failures of an account at a source IP together, so success can take them back. If there is no room, a failure stays counted
 * for the source IP.
 */
async function countFailure({ guesses }: GuessDeps, origin: Origin, now: number): Promise<void> {
  if (origin.knownBrowser !== undefined) return
  await guesses.count(failuresOf(origin), { limit: guessLimits.account_at_address, now })
}

async function takeBack({ guesses }: GuessDeps, origin: Origin, at: number): Promise<void> {
  const tries = subjectsOf(origin)
  const from = tries.find(({ kind }) => kind === 'address')
  await guesses.takeBack({ tries, at, ...(from && { failures: { of: failuresOf(origin), from } }) })
}

async function rehash({ accounts, passwords }: SignInDeps, account: Account, password: string): Promise<void> {
  const { passwordHash: from, user } = account
  if (from === undefined) return
  await accounts.rehash(user.id, { from, to: await passwords.hash(password) })
}
