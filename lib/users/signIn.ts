import { emailKey } from './emailKey.ts'
import { UserError } from './errors.ts'
import type { Account, Accounts, Passwords, SignedIn } from './ports.ts'
import { type ThrottleDeps, throttle } from './throttle.ts'

export interface SignInDeps extends ThrottleDeps {
  readonly accounts: Pick<Accounts, 'findByEmail' | 'rehash'>
  readonly passwords: Passwords
}

/** A sign-in attempt. */
interface SignInRequest {
  email: string
  password: string
  sourceIp: string
}

/**
 * Returns the user with this email address and password. Failed attempts count against the email address, known or not, and the
 * source IP; success resets the count of the email address. Replaces an outdated password hash.
 * @throws UserError `wrong_credentials` for an unknown address, a wrong password and an inactive user, in equal time;
 *   TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function signIn(deps: SignInDeps, { email, password, sourceIp }: SignInRequest): Promise<SignedIn> {
  const key = emailKey(email)
  const [bySourceIp, byAccount] = [
    { kind: 'sign_in_source_ip', subject: sourceIp },
    { kind: 'sign_in', subject: key },
  ] as const
  await throttle(deps, bySourceIp)
  await throttle(deps, byAccount)
  const account = await deps.accounts.findByEmail(key)
  const { isRight, isOutdated } = await deps.passwords.check(password, account?.passwordHash)
  if (!account?.user.isActive || !isRight) throw new UserError('wrong_credentials')
  await Promise.all([
    deps.attempts.takeBack(bySourceIp),
    deps.attempts.forget(byAccount),
    isOutdated && rehash(deps, account, password),
  ])
  return { ...account.user, securityRev: account.securityRev }
}

async function rehash({ accounts, passwords }: SignInDeps, account: Account, password: string): Promise<void> {
  const { passwordHash: from, user } = account
  if (from === undefined) return
  await accounts.rehash(user.id, { from, to: await passwords.hash(password) })
}
