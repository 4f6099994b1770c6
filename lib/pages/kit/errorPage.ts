import type { Answer } from '../../http/answer/answer.ts'
import type { HttpEvent, HttpResult } from '../../http/contract.ts'
import type { Texts } from '../../texts/texts.ts'
import type { Look } from './look.ts'
import { messagePage } from './messagePage.ts'
import { pageAnswer } from './pageAnswer.ts'

/** A request that was not served. */
export interface Failure {
  readonly answer: Answer
  readonly event: HttpEvent
  /** The thrown error. */
  readonly error: unknown
}

/** Texts for users; details for developers are in the log. */
const messages: Readonly<Record<number, Exclude<keyof Texts['errors'], 'unknown'>>> = {
  400: 'formIncomplete',
  403: 'foreignForm',
  413: 'formTooLarge',
  429: 'tooManyRequests',
  503: 'unavailable',
}

/** Renders an error answer as a page with a link to try again, and says when if the answer does. */
export function errorPage({ answer, event }: Failure, look: Look): HttpResult {
  const { status, headers = {} } = answer
  return retryPage(look, { status, headers, event, name: messages[status] ?? 'unknown' })
}

/** A page with a message of the table, and a link to the same request. */
export function retryPage(
  look: Look,
  {
    status,
    headers = {},
    event,
    name,
  }: Pick<Answer, 'status' | 'headers'> & { event: HttpEvent; name: keyof Texts['errors'] },
): HttpResult {
  const { errors, next, wait } = look.texts
  const { title, text } = errors[name]
  const retryAfter = headers['retry-after']
  const page = messagePage(look, {
    title,
    text: retryAfter === undefined ? text : `${text} ${wait(Number(retryAfter))}`,
    next: { label: next.tryAgain, href: `?${event.rawQueryString}` },
  })
  return pageAnswer(look, { status, page, headers })
}
