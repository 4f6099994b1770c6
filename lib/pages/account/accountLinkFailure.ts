import { ServiceError } from '../../core/errors.ts'
import type { HttpEvent, HttpResult } from '../../http/contract.ts'
import { readSessionCookie } from '../../http/security/cookies.ts'
import { LinkInvalidError } from '../../users/errors.ts'
import { linkQuery } from '../../users/links/linkQuery.ts'
import type { AccountLink, AccountLinkPurpose } from '../../users/ports.ts'
import { errorPage, type Failure, retryPage } from '../kit/errorPage.ts'
import { type Look, lookFor } from '../kit/look.ts'
import { type Message, messagePage } from '../kit/messagePage.ts'
import { applicationStep, linkToSignIn } from '../kit/nextStep.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { newFormAnswer } from './accountFormAnswer.ts'

/** Creates the pages for failures of the links in mails. `secret` makes a secret if the browser has no cookie. */
export function accountLinkFailure(ids: { secret(): string }) {
  return (failure: Failure, look: Look): HttpResult => {
    const { answer, event, error } = failure
    if (error instanceof LinkInvalidError) return deadLink(failure, error.link, look, ids)
    const code = error instanceof ServiceError ? error.code : undefined
    if (code === 'too_many_attempts') return retryPage(look, { ...answer, event, name: 'tooManyAttempts' })
    const message = messageOf(code, look)
    if (message === undefined) return errorPage(failure, look)
    const page = messagePage(look, { ...message, next: applicationStep(look) })
    return pageAnswer(look, { status: answer.status, page, headers: answer.headers ?? {} })
  }
}

function messageOf(code: string | undefined, { texts }: Look): Omit<Message, 'next'> | undefined {
  if (code === 'unreadable_form') return texts.errors.incompleteLink
  if (code === 'email_taken') return texts.errors.emailTaken
  if (code === 'already_member') return texts.invitation.already_member
  return code === 'invitation_invalid' ? texts.invitation.void : undefined
}

/** The form that sends another link. Users change their address in the application; its undoing has only one mail. What an expired undo of an authenticator removed, a reset removes. */
const formOf = {
  verify_email: 'resend_verification',
  reset_password: 'forgot_password',
  change_email: undefined,
  undo_email_change: undefined,
  confirm_factor_reset: undefined,
  undo_factor: 'forgot_password',
  restore_account: undefined,
} as const satisfies Record<AccountLinkPurpose, unknown>

/** If a link no longer works, its page leads the user on, or to another link for the same address. */
function deadLink(
  { answer: { status }, event }: Failure,
  link: AccountLink | undefined,
  initial: Look,
  ids: { secret(): string },
): HttpResult {
  const look = link?.request === undefined ? initial : lookFor(initial.branding, event, link.request)
  const { title, used, expired, unknown, again } = look.texts.deadLink
  const purpose = link?.purpose ?? purposeIn(event)
  const form = purpose && formOf[purpose]
  if (form === undefined || link?.usedAt !== undefined) {
    const text = link === undefined ? unknown : link.usedAt === undefined ? expired : used
    const page = messagePage(look, { title, text, next: linkToSignIn(look, link?.request) })
    return pageAnswer(look, { status, page })
  }
  const secret = readSessionCookie(event)
  const opening = { title, text: `${link === undefined ? unknown : expired} ${again}` }
  const { email = '', request } = link ?? {}
  return newFormAnswer(look, status, { purpose: form, request, email, opening, secret, newSecret: ids.secret })
}

/** The purpose of an unknown link, from its address. */
function purposeIn({ rawQueryString }: HttpEvent): AccountLinkPurpose | undefined {
  const { data } = linkQuery.shape.purpose.safeParse(new URLSearchParams(rawQueryString).get('purpose'))
  return data === 'invitation' ? undefined : data
}
