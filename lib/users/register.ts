import { userIdSchema } from '../core/ids.ts'
import type { AccountDeps } from './accountDeps.ts'
import { digestToken, issueLink } from './accountLinks.ts'
import { emailKey } from './emailKey.ts'
import { UserError } from './errors.ts'
import { requireGoodPassword } from './goodPassword.ts'
import { spendAnonymousMail } from './mailBudget.ts'
import { accountExists, verifyEmail } from './mails.ts'
import type { User } from './ports.ts'
import { isReservedUsername } from './reservedUsername.ts'
import type { LinkRequest } from './sendLink.ts'

/** Validated by `emailSchema` and `usernameSchema`. */
export interface Registration extends LinkRequest {
  username: string
  password: string
  /** The secret in the cookie of the browser that registers; undefined where the API is called. */
  browser?: string | undefined
}

/**
 * Creates an account with an unverified email address and sends the link that verifies it. If the address already has an account,
 * its owner gets `accountExists` instead; the answer and its time are the same: a link is stored, but never sent.
 * @throws RefusedPasswordError; UserError `username_already_exists`, also for a reserved one, with a known address as with a new one; TooManyAttemptsError;
 *   CommonError `service_unavailable`
 */
export async function register(deps: AccountDeps, registration: Registration): Promise<void> {
  await spendAnonymousMail(deps, 'registration', registration)
  await requireGoodPassword(deps, { ...registration, field: 'password' })
  const outcome = await createAccount(deps, registration)
  if (outcome === 'username_taken') throw new UserError('username_already_exists')
}

/**
 * `register` with a taken username as an outcome instead of an error, for a password that was judged before.
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
  if (isReservedUsername(username)) return 'username_taken'
  const passwordHash = await deps.passwords.hash(password)
  const known = await deps.accounts.findByEmail(emailKey(email))
  const user = newUser(deps, email, username)
  const outcome = await deps.users.create(user, passwordHash)
  if (outcome === 'username_taken') return outcome
  const link = await issueLink(deps, {
    purpose: 'verify_email',
    userId: user.id,
    email,
    securityRev: 0,
    request,
    browser: browser === undefined ? undefined : digestToken(browser),
  })
  const look = { branding: deps.branding, language }
  const isNew = outcome === 'created'
  await deps.mailer.send(
    isNew ? verifyEmail(look, { to: email, ...link }) : accountExists(look, { to: known?.user.email ?? email }),
  )
  return 'mail_sent'
}

function newUser({ ids, clock }: Pick<AccountDeps, 'ids' | 'clock'>, email: string, username: string): User {
  const id = userIdSchema.parse(ids.uuid())
  const flags = { isActive: true, isVerified: false, isSuperuser: false }
  return { id, email, username, ...flags, createdAt: clock.now() }
}
