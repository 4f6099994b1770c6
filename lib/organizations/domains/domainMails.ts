import { formatDate } from '../../core/format.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { applicationLink } from '../../mail/applicationLink.ts'
import type { Mail } from '../../mail/mailer.ts'
import { nameInMail } from '../../mail/nameInMail.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import { shortMail } from '../../mail/shortMail.ts'
import { texts } from '../../texts/texts.ts'

/** The content of a mail about a domain. */
interface DomainMail {
  readonly to: string
  readonly organizationId: OrganizationId
  readonly domain: string
}

/** To the owners, when a check does not find the record. `lostAt`: when the domain is lost if it stays away; Unix milliseconds. */
export function domainMissing(look: MailLook, mail: DomainMail & { readonly lostAt: number }): Mail {
  const { subject, text, unexpected } = texts[look.language].mails.domainMissing
  const domain = nameInMail(mail.domain)
  const date = formatDate(mail.lostAt, look.language)
  return withWayBack(look, mail, { subject: subject(domain), text: text(domain, date), unexpected })
}

/** To the owners, when the domain is lost. */
export function domainLost(look: MailLook, mail: DomainMail): Mail {
  const { subject, text, unexpected } = texts[look.language].mails.domainLost
  const domain = nameInMail(mail.domain)
  return withWayBack(look, mail, { subject: subject(domain), text: text(domain), unexpected })
}

function withWayBack(
  look: MailLook,
  { to, organizationId }: DomainMail,
  words: { subject: string; text: string; unexpected: string },
): Mail {
  const label = texts[look.language].next.openApplication(look.branding.name)
  return shortMail(look, words, { to, action: { label, link: applicationLink(look.branding, organizationId) } })
}
