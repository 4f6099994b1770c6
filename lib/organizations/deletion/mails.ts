import { formatDate } from '../../core/format.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { applicationLink } from '../../mail/applicationLink.ts'
import type { Mail } from '../../mail/mailer.ts'
import { nameInMail } from '../../mail/nameInMail.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import { shortMail } from '../../mail/shortMail.ts'
import { texts } from '../../texts/texts.ts'

/** The content of a mail about a deletion. */
export interface DeletionMail {
  readonly to: string
  readonly organizationId: OrganizationId
  /** The organization's name, unescaped. */
  readonly organization: string
  /** Unix milliseconds. */
  readonly eraseAfter: number
}

/** To the owners, after a request to delete their organization. Leads to the application, which can restore it. */
export const organizationDeletionScheduled = withWayBack('organizationDeletionScheduled')

/** To the owners, three days before the erasure. */
export const organizationDeletionReminder = withWayBack('organizationDeletionReminder')

function withWayBack(name: 'organizationDeletionScheduled' | 'organizationDeletionReminder') {
  return (look: MailLook, { to, organizationId, organization, eraseAfter }: DeletionMail): Mail => {
    const { subject, text, unexpected } = texts[look.language].mails[name]
    const link = applicationLink(look.branding, organizationId)
    const shown = nameInMail(organization)
    const words = { subject: subject(shown), text: text(shown, formatDate(eraseAfter, look.language)), unexpected }
    const label = texts[look.language].next.openApplication(look.branding.name)
    return shortMail(look, words, { to, action: { label, link } })
  }
}

/** To the owners, when their organization is erased. */
export function organizationErased(look: MailLook, { to, organization }: DeletionMail): Mail {
  const { subject, text, kept } = texts[look.language].mails.organizationErased
  const name = nameInMail(organization)
  return shortMail(look, { subject: subject(name), text: text(name), unexpected: kept }, { to })
}
