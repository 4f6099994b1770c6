import type * as z from 'zod'
import type { Language } from '../../lib/core/language.ts'
import type { HttpEvent, HttpResult } from '../../lib/http/contract.ts'
import { readForm } from '../../lib/http/form.ts'
import { requireOwnForm } from '../../lib/http/formProtection.ts'
import { languageOf } from '../../lib/http/language.ts'
import { readSessionCookie } from '../../lib/http/sessionCookie.ts'
import { acceptInvitation } from '../../lib/organizations/acceptInvitation.ts'
import { accountFormAnswer } from '../../lib/pages/accountFormAnswer.ts'
import { accountLinkFailure } from '../../lib/pages/accountLinkFailure.ts'
import { accountLinkDone, accountLinkPage } from '../../lib/pages/accountLinkPage.ts'
import { pageAnswer } from '../../lib/pages/pageAnswer.ts'
import { pageEndpoint } from '../../lib/pages/pageEndpoint.ts'
import { accountDepsFromEnvironment } from '../../lib/runtime/accountPasswords.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { rateLimitFromEnvironment } from '../../lib/runtime/rateLimits.ts'
import { confirmEmailChange } from '../../lib/users/changeEmail.ts'
import { passwordProblem } from '../../lib/users/newPassword.ts'
import { resetPassword } from '../../lib/users/resetPassword.ts'
import { mailSent } from '../../lib/users/sendLink.ts'
import { signIn } from '../../lib/users/signIn.ts'
import { submitForgotPassword, submitRegistration } from '../../lib/users/submitAccountForm.ts'
import { verifyEmail } from '../../lib/users/verifyEmail.ts'
import { contract } from './contract.ts'

const deps = accountDepsFromEnvironment()
const organizationDeps = organizationDepsFromEnvironment()
const rateLimit = rateLimitFromEnvironment()

type Form = z.output<typeof contract.body>
type AccountForm = Extract<Form, { csrf: string }>
type LinkForm = Exclude<Form, AccountForm> & { sourceIp: string; language: Language }

const actions: Record<LinkForm['purpose'], (form: LinkForm) => Promise<unknown>> = {
  verify_email: ({ token }) => verifyEmail(deps, token),
  change_email: ({ token }) => confirmEmailChange(deps, token),
  reset_password: ({ token, password, language }) => resetPassword(deps, { token, password, language }),
  invitation: async ({ token, ...credentials }) => {
    const user = await signIn(deps, credentials)
    return acceptInvitation(organizationDeps, { userId: user.id, token })
  },
}

/** POST /api/auth/link: performs the action of a link in a mail, or sends such a mail. */
export const handler = pageEndpoint(
  { ...deps, rateLimit },
  async (event) => {
    const form = readForm(event, contract.body)
    return 'csrf' in form ? sendMail(event, form) : useLink(event, form)
  },
  accountLinkFailure,
)

/** No other site knows the token of a link, so its form needs no other protection. */
async function useLink(event: HttpEvent, form: Omit<LinkForm, 'sourceIp' | 'language'>): Promise<HttpResult> {
  const { purpose, token, password } = form
  const problem = purpose === 'reset_password' ? await passwordProblem(deps.commonPasswords, password) : undefined
  if (problem !== undefined) return pageAnswer({ status: 422, page: accountLinkPage({ purpose, token, problem }) })
  await actions[purpose]({ ...form, sourceIp: event.requestContext.http.sourceIp, language: languageOf(event) })
  return pageAnswer({ status: 200, page: accountLinkDone(purpose) })
}

async function sendMail(event: HttpEvent, form: AccountForm): Promise<HttpResult> {
  requireOwnForm(event, readSessionCookie(event), form.csrf)
  const sender = { sourceIp: event.requestContext.http.sourceIp, language: languageOf(event) }
  const outcome =
    form.purpose === 'register'
      ? await submitRegistration(deps, { ...form, ...sender })
      : await submitForgotPassword(deps, { ...form, ...sender })
  return accountFormAnswer(outcome, form, mailSent)
}
