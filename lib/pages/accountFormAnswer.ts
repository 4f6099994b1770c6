import type { HttpResult } from '../http/contract.ts'
import type { AccountFormOutcome } from '../users/accountForm.ts'
import { type AccountForm, accountFormPage } from './accountFormPage.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

/**
 * The answer to a form that sends a mail: a message that is the same with and without an account, or the form with its problems.
 */
export function accountFormAnswer(
  outcome: AccountFormOutcome,
  form: AccountForm,
  { detail }: { readonly detail: string },
): HttpResult {
  if (outcome.outcome === 'mail_sent') {
    const text = `${detail} Then go back to the application to sign in.`
    return pageAnswer({ status: 200, page: messagePage({ title: 'Check your email', text }) })
  }
  const status = outcome.outcome === 'username_taken' ? 409 : 422
  return pageAnswer({ status, page: accountFormPage({ ...form, problems: outcome.problems }) })
}
