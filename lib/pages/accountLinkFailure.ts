import * as z from 'zod'
import type { Answer } from '../http/answer.ts'
import type { HttpEvent, HttpResult } from '../http/contract.ts'
import { type ErrorCode, isErrorCode } from '../http/errorAnswers.ts'
import { errorPage } from './errorPage.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

const deadLink = {
  title: 'This link no longer works',
  text: 'It was already used, has expired, or your account has changed since. Request a new link to try again.',
}

/** Texts for users who followed a link in a mail. */
const messages: Partial<Record<ErrorCode, { title: string; text: string }>> = {
  unreadable_form: {
    title: 'This link is incomplete',
    text: 'Open it from the email again, or copy the whole link.',
  },
  link_invalid: deadLink,
  invitation_invalid: {
    title: deadLink.title,
    text: 'It was already used, has expired, or was sent to a different email address than your account’s.',
  },
  email_already_exists: {
    title: 'This email address is taken',
    text: 'Another account uses this email address. Nothing was changed.',
  },
  already_member: { title: 'You are already a member', text: 'There is nothing left to do.' },
  email_not_verified: {
    title: 'Confirm your email address first',
    text: 'Your account’s email address is not confirmed yet. Open the link in our confirmation email, then open this link again.',
  },
  wrong_credentials: {
    title: 'Sign-in failed',
    text: 'Incorrect email address or password. Open the link again to retry.',
  },
  too_many_attempts: {
    title: 'Too many attempts',
    text: 'Wait a few minutes, then try again.',
  },
}

const withCode = z.object({ code: z.string() })

/** Renders an error answer as a page, for the links in mails. */
export function accountLinkFailure(answer: Answer, event: HttpEvent): HttpResult {
  const code = withCode.safeParse(answer.body).data?.code
  const message = code !== undefined && isErrorCode(code) ? messages[code] : undefined
  if (message === undefined) return errorPage(answer, event)
  return pageAnswer({ status: answer.status, page: messagePage(message), headers: answer.headers ?? {} })
}
