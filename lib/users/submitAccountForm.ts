import type { AccountDeps, MailDeps } from './accountDeps.ts'
import type { AccountFormOutcome } from './accountForm.ts'
import { emailSchema } from './emailKey.ts'
import { passwordProblem } from './newPassword.ts'
import { type Registration, tryRegister } from './register.ts'
import { forgotPassword } from './resetPassword.ts'
import type { LinkRequest } from './sendLink.ts'
import { usernameSchema } from './username.ts'

const problems = {
  email: 'Enter a complete email address, such as name@example.com.',
  username: 'Use 3 to 32 letters, digits, dots, hyphens or underscores, starting and ending with a letter or digit.',
  taken: 'This username is taken.',
}

/**
 * `forgotPassword` for unvalidated form fields.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function submitForgotPassword(deps: MailDeps, form: LinkRequest): Promise<AccountFormOutcome> {
  const { data: email } = emailSchema.safeParse(form.email)
  if (email === undefined) return { outcome: 'invalid', problems: { email: problems.email } }
  await forgotPassword(deps, { ...form, email })
  return { outcome: 'mail_sent' }
}

/**
 * `register` for unvalidated form fields. Returns all problems at once; `username_taken` only for a form that is otherwise valid.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function submitRegistration(deps: AccountDeps, form: Registration): Promise<AccountFormOutcome> {
  const { data: email } = emailSchema.safeParse(form.email)
  const { data: username } = usernameSchema.safeParse(form.username)
  const password = await passwordProblem(deps.commonPasswords, form.password)
  if (email === undefined || username === undefined || password !== undefined) {
    const found = {
      ...(email === undefined && { email: problems.email }),
      ...(username === undefined && { username: problems.username }),
      ...(password !== undefined && { password }),
    }
    return { outcome: 'invalid', problems: found }
  }
  const outcome = await tryRegister(deps, { ...form, email, username })
  if (outcome === 'username_taken') return { outcome, problems: { username: problems.taken } }
  return { outcome: 'mail_sent' }
}
