import type { Answer } from '../http/answer.ts'
import type { HttpEvent, HttpResult } from '../http/contract.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

/** Texts for users; details for developers are in the log. */
const messages: Readonly<Record<number, { title: string; text: string }>> = {
  400: { title: 'The form is incomplete', text: 'Please start again.' },
  403: {
    title: 'Please start again',
    text: 'This form belongs to another session, or your browser blocked our cookie. Nothing was changed.',
  },
  413: { title: 'The form is too large', text: 'Shorten your entries, then try again.' },
  429: {
    title: 'Too many requests',
    text: 'Your network sent too many requests. Wait a minute, then try again.',
  },
  503: { title: 'Service unavailable', text: 'The service is temporarily unavailable. It is safe to try again.' },
}
const unknown = { title: 'Something went wrong', text: 'This is an error on our side. Please try again later.' }

/** Renders an error answer as a page with a link to try again. */
export function errorPage({ status, headers = {} }: Answer, { rawQueryString }: HttpEvent): HttpResult {
  const message = messages[status] ?? unknown
  const page = messagePage({ ...message, next: { label: 'Try again', href: `?${rawQueryString}` } })
  return pageAnswer({ status, page, headers })
}
