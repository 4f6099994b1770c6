import type { AccountDeps, PasswordDeps } from '../deps.ts'
import { requestVerification } from '../email/verifyEmail.ts'
import { emailSchema } from '../emailKey.ts'
import type { AccountFormOutcome } from '../links/accountForm.ts'
import type { LinkRequest } from '../links/sendLink.ts'
import { type PasswordContext, passwordProblem } from '../password/goodPassword.ts'
import { forgotPassword } from '../password/resetPassword.ts'
import type { AccountFormProblems } from '../ports.ts'
import { usernameSchema } from '../username.ts'
import { type Registration, tryRegister } from './register.ts'

/** The fields of a form, as they were sent. */
type SubmittedForm =
  | ({ readonly purpose: 'forgot_password' | 'resend_verification' } & LinkRequest)
  | ({ readonly purpose: 'register' } & Registration)

/**
 * Checks the fields of a form and sends its mail. Returns all problems at once; `username_taken` only if the form is otherwise valid.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function submitAccountForm(deps: AccountDeps, form: SubmittedForm): Promise<AccountFormOutcome> {
  if (form.purpose === 'register') return submitRegistration(deps, form)
  const send = form.purpose === 'forgot_password' ? forgotPassword : requestVerification
  return withAddress(form, (request) => send(deps, request))
}

async function withAddress(
  form: LinkRequest,
  send: (request: LinkRequest) => Promise<void>,
): Promise<AccountFormOutcome> {
  const { data: email } = emailSchema.safeParse(form.email)
  if (email === undefined) return { outcome: 'invalid', problems: invalidEmail }
  await send({ ...form, email })
  return { outcome: 'mail_sent' }
}

async function submitRegistration(deps: AccountDeps, form: Registration): Promise<AccountFormOutcome> {
  const { data: email } = emailSchema.safeParse(form.email)
  const problems = { ...(email === undefined && invalidEmail), ...(await newAccountProblems(deps, form, form)) }
  if (email === undefined || Object.keys(problems).length > 0) return { outcome: 'invalid', problems }
  const outcome = await tryRegister(deps, { ...form, email })
  if (outcome === 'username_taken') return { outcome, problems: { username: 'username_taken' } }
  return { outcome: 'mail_sent' }
}

const invalidEmail = { email: 'email_invalid' } as const

/** Returns what is wrong with the username and the password of a new account, except that the name is taken. */
export async function newAccountProblems(
  deps: PasswordDeps,
  form: { readonly username: string; readonly password: string },
  context: PasswordContext,
): Promise<Pick<AccountFormProblems, 'username' | 'password'>> {
  const password = await passwordProblem(deps, form.password, context)
  const isUsername = usernameSchema.safeParse(form.username).success
  return { ...(!isUsername && { username: 'username_invalid' }), ...(password !== undefined && { password }) }
}
