import { formatDate } from '../core/formatDate.ts'
import type { Mail } from '../mail/mailer.ts'
import type { MailLook } from '../mail/renderMail.ts'
import { shortMail } from '../mail/shortMail.ts'
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
  const words = { subject, text: text(formatDate(eraseAfter, look.language)), unexpected }
  return shortMail(look, words, { to, action: { label: action, link } })
}

/** The last mail to an account's address. */
export function accountErased(look: MailLook, { to }: Pick<WayBack, 'to'>): Mail {
  const { kept, ...words } = texts[look.language].mails.accountErased
  return shortMail(look, { ...words, unexpected: kept }, { to })
}
