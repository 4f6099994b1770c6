import { formatDate } from '../core/formatDate.ts'
import type { Mail } from '../mail/mailer.ts'
import { type MailLook, renderMail } from '../mail/renderMail.ts'
import { texts } from '../texts/texts.ts'

/** A mail with the way back from a deletion. */
interface WayBack {
  readonly to: string
  /** Built by `accountLinkUrl`. */
  readonly link: string
  /** Unix milliseconds. */
  readonly eraseAfter: number
}

/** After a request to delete the account. */
export function deletionScheduled(look: MailLook, mail: WayBack): Mail {
  return withWayBack(look, 'deletionScheduled', mail)
}

/** Some days before the erasure. */
export function deletionReminder(look: MailLook, mail: WayBack): Mail {
  return withWayBack(look, 'deletionReminder', mail)
}

/** Instead of another link, to the address of an account that is being deleted. */
export function deletionPending(look: MailLook, mail: WayBack): Mail {
  return withWayBack(look, 'deletionPending', mail)
}

function withWayBack(
  look: MailLook,
  name: 'deletionScheduled' | 'deletionReminder' | 'deletionPending',
  { to, link, eraseAfter }: WayBack,
): Mail {
  const { subject, text, action, unexpected } = texts[look.language].mails[name]
  const paragraphs = [text(formatDate(eraseAfter, look.language))]
  return renderMail(look, { to, subject, paragraphs, action: { label: action, link }, notes: [unexpected] })
}

/** The last mail to an account's address. */
export function accountErased(look: MailLook, { to }: Pick<WayBack, 'to'>): Mail {
  const { subject, text, kept } = texts[look.language].mails.accountErased
  return renderMail(look, { to, subject, paragraphs: [text], notes: [kept] })
}
