import { FIRST_REVISION } from '../../core/grant.ts'
import { userIdSchema } from '../../core/ids.ts'
import type { AccountDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { UserError } from '../errors.ts'
import { digestToken, issueLink } from '../links/accountLinks.ts'
import { type LinkRequest, sendWayBack } from '../links/sendLink.ts'
import { spendAnonymousMail } from '../mailBudget.ts'
import { accountExists, verificationMail } from '../mails.ts'
import { requireGoodPassword } from '../password/goodPassword.ts'
import type { Account, User } from '../ports.ts'
import { untilUnchanged } from '../untilUnchanged.ts'
import { isReservedUsername } from '../username.ts'

/** Validated by `emailSchema` and `usernameSchema`. */
export interface Registration extends LinkRequest {
  username: string
  password: string
  /** The secret in the cookie of the browser that registers; undefined for a request to the API. */
  browser?: string | undefined
}

/**
 * Stores a registration, which waits 7 days for a proof of its address, and sends the link that proves it. An earlier registration with the
 * same address gives way: only the newest password counts. If the address already has an account, its owner gets `accountExists` instead,
 * or the link that restores the account if it is being deleted. The answer and its time are the same in both cases: a link is stored but
 * never sent, and the username is reserved for as long.
 * @throws RefusedPasswordError; UserError `username_already_exists`, also for a reserved name, whether the address is known or not;
 *   TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function register(deps: AccountDeps, registration: Registration): Promise<void> {
  await spendAnonymousMail(deps, 'registration', registration)
  await requireGoodPassword(deps, { ...registration, field: 'password' })
  const outcome = await createAccount(deps, registration)
  if (outcome === 'username_taken') throw new UserError('username_already_exists')
}

/**
 * Like `register`, but returns a taken username as an outcome. The caller has judged the password.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function tryRegister(
  deps: AccountDeps,
  registration: Registration,
): Promise<'mail_sent' | 'username_taken'> {
  await spendAnonymousMail(deps, 'registration', registration)
  return createAccount(deps, registration)
}

async function createAccount(
  deps: AccountDeps,
  { email, username, password, language, request, browser }: Registration,
): Promise<'mail_sent' | 'username_taken'> {
  if (isReservedUsername(username, deps.branding.name)) return 'username_taken'
  const passwordHash = await deps.passwords.hash(password)
  const user = newUser(deps, email, username)
  const stored = await storeRegistration(deps, user, passwordHash)
  if (stored === 'username_taken') return stored
  const { account } = stored
  if (account?.deletion) {
    await sendWayBack(deps, { ...account, deletion: account.deletion }, language)
    return 'mail_sent'
  }
  const link = await issueLink(deps, {
    purpose: 'verify_email',
    userId: user.id,
    email,
    securityRev: FIRST_REVISION,
    request,
    browser: browser === undefined ? undefined : digestToken(browser),
  })
  const look = { branding: deps.branding, language }
  await deps.mailer.send(
    account === undefined
      ? verificationMail(look, { to: email, ...link })
      : accountExists(look, { to: account.user.email }),
  )
  return 'mail_sent'
}

/** Returns the account that already has the address; undefined if the registration was stored. */
function storeRegistration(
  { accounts, users }: Pick<AccountDeps, 'accounts' | 'users'>,
  user: User,
  passwordHash: string,
): Promise<'username_taken' | { account?: Account }> {
  return untilUnchanged(async () => {
    const account = await accounts.findByEmail(emailKey(user.email))
    if (account?.user.isVerified) {
      const outcome = await users.reserveName(user, account.user)
      return outcome === 'reserved' ? { account } : outcome
    }
    const outcome = await users.create(user, passwordHash)
    if (outcome === 'email_taken') return 'conflict'
    return outcome === 'username_taken' ? outcome : {}
  })
}

function newUser({ ids, clock }: Pick<AccountDeps, 'ids' | 'clock'>, email: string, username: string): User {
  const id = userIdSchema.parse(ids.uuid())
  const flags = { isActive: true, isVerified: false, isSuperuser: false }
  return { id, email, username, ...flags, createdAt: clock.now() }
}
