import { userIdSchema } from '../core/ids.ts'
import type { AccountDeps } from './accountDeps.ts'
import { issueLink } from './accountLinks.ts'
import { emailKey } from './emailKey.ts'
import { UserError } from './errors.ts'
import { accountExists, verifyEmail } from './mails.ts'
import { requireUncommon } from './newPassword.ts'
import type { User } from './ports.ts'
import { throttleMail } from './throttle.ts'

/** Checked against the schemas of this folder; `sourceIp` as API Gateway reports it. */
export interface Registration {
  email: string
  username: string
  password: string
  sourceIp: string
}

/**
 * Creates an account whose address is not verified yet, and sends the link that verifies it. Where there is an account with this
 * address already, its owner is told in the link's place, and nothing else is different, nor takes another time: a link is stored,
 * but goes nowhere.
 * @throws CommonPasswordError; UserError `username_already_exists`, whether or not the address is known; TooManyAttemptsError;
 *   CommonError `service_unavailable`
 */
export async function register(deps: AccountDeps, registration: Registration): Promise<void> {
  const outcome = await tryRegister(deps, registration)
  if (outcome === 'username_taken') throw new UserError('username_already_exists')
}

/**
 * `register` for whoever goes on where the user name is taken: that is an outcome here.
 * @throws CommonPasswordError; TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function tryRegister(
  deps: AccountDeps,
  registration: Registration,
): Promise<'mail_sent' | 'username_taken'> {
  const { email, username, password, sourceIp } = registration
  await throttleMail(deps, { email, sourceIp })
  await requireUncommon(deps.commonPasswords, password, 'password')
  const passwordHash = await deps.passwords.hash(password)
  const known = await deps.accounts.findByEmail(emailKey(email))
  const user = newUser(deps, email, username)
  const outcome = await deps.users.create(user, passwordHash)
  if (outcome === 'username_taken') return outcome
  const link = await issueLink(deps, { purpose: 'verify_email', userId: user.id, email, securityRev: 0 })
  const isNew = outcome === 'created'
  await deps.mailer.send(
    isNew ? verifyEmail({ to: email, ...link }) : accountExists({ to: known?.user.email ?? email }),
  )
  return 'mail_sent'
}

function newUser({ ids, clock }: Pick<AccountDeps, 'ids' | 'clock'>, email: string, username: string): User {
  const id = userIdSchema.parse(ids.uuid())
  const flags = { isActive: true, isVerified: false, isSuperuser: false }
  return { id, email, username, ...flags, createdAt: clock.now() }
}
