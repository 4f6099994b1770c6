import type { Answer } from '../http/answer.ts'
import type { HttpEvent, HttpResult } from '../http/contract.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

/** In the words of somebody who only wanted to sign in; what developers need to know is in the log. */
const messages: Readonly<Record<number, { title: string; text: string }>> = {
  400: { title: 'That did not work', text: 'The form was incomplete. Please start again.' },
  403: {
    title: 'Please start again',
    text: 'This form was opened in another session, or your browser did not keep our cookie. Nothing was changed.',
  },
  413: { title: 'That was too much', text: 'The form was larger than we accept.' },
  429: {
    title: 'Too many requests',
    text: 'There were too many requests from your network. Wait a minute, then try again.',
  },
  503: { title: 'Back in a moment', text: 'The service cannot be reached right now. It is safe to try again.' },
}
const unknown = { title: 'Something went wrong', text: 'That is our fault, not yours. Please try again later.' }

/** An error answer as a page, with a way to ask for the same page again. */
export function errorPage({ status, headers = {} }: Answer, { rawQueryString }: HttpEvent): HttpResult {
  const message = messages[status] ?? unknown
  const page = messagePage({ ...message, next: { label: 'Try again', href: `?${rawQueryString}` } })
  return pageAnswer({ status, page, headers })
}
