import * as z from 'zod'
import type { Answer } from '../http/answer.ts'
import type { HttpEvent, HttpResult } from '../http/contract.ts'
import { type ErrorCode, errorAnswers, isErrorCode } from '../http/errorAnswers.ts'
import { errorPage } from './errorPage.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

const deadLink = {
  title: 'This link does not work any more',
  text: 'It was used already, it has expired, or the account has changed since. Ask for a new one where you asked for this one.',
}

/** In the words of somebody who followed a link in a mail. */
const messages: Partial<Record<ErrorCode, { title: string; text: string }>> = {
  unreadable_form: {
    title: 'This link is not complete',
    text: 'Open it from the message again, or copy all of it.',
  },
  link_invalid: deadLink,
  invitation_invalid: {
    title: deadLink.title,
    text: 'It was used already, it has expired, or it was sent to another email address than your account has.',
  },
  email_already_exists: {
    title: 'This address has an account',
    text: 'Another account uses this email address by now, so nothing was changed.',
  },
  already_member: { title: 'You are a member already', text: 'There is nothing left to do here.' },
  email_not_verified: {
    title: 'Confirm your email address first',
    text: 'Your account’s address is not confirmed yet. Follow the link in that message, then open this one again.',
  },
  wrong_credentials: {
    title: 'Sign-in failed',
    text: 'The email address or the password is not right. Open the link again to try once more.',
  },
  too_many_attempts: {
    title: 'Too many attempts',
    text: 'There were too many attempts. Wait some minutes, then try again.',
  },
}

const withDetail = z.object({ detail: z.string() })

/** An error answer as a page of the links in mails. */
export function accountLinkFailure(answer: Answer, event: HttpEvent): HttpResult {
  const detail = withDetail.safeParse(answer.body).data?.detail
  const code = Object.keys(errorAnswers).find((one) => isErrorCode(one) && errorAnswers[one].detail === detail)
  const message = code !== undefined && isErrorCode(code) ? messages[code] : undefined
  if (message === undefined) return errorPage(answer, event)
  return pageAnswer({ status: answer.status, page: messagePage(message), headers: answer.headers ?? {} })
}
