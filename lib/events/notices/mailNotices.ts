import type { Branding } from '../../core/branding.ts'
import type { Clock } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import type { Language } from '../../core/language.ts'
import type { Logger } from '../../log/logger.ts'
import { applicationLink } from '../../mail/applicationLink.ts'
import type { Mail } from '../../mail/mailer.ts'
import { nameInMail } from '../../mail/nameInMail.ts'
import { shortMail } from '../../mail/shortMail.ts'
import { type MailOwnersDeps, mailOwners } from '../../organizations/mailOwners.ts'
import { texts } from '../../texts/texts.ts'
import type { EndpointNotice, EndpointNotices } from './ports.ts'

export interface MailNoticesDeps extends MailOwnersDeps {
  readonly notices: EndpointNotices
  readonly clock: Clock
  readonly logger: Logger
}

/** A mail that was not sent is tried again after this; milliseconds. */
const AGAIN = 10 * 60_000

/** After this the mail is given up; milliseconds. */
const GIVE_UP = 24 * 60 * 60_000

/**
 * Mails the owners of organizations whose endpoints were disabled. If no mail of a notice was accepted, a later run tries it again, for a day.
 * Never throws because of a notice.
 * @param finishBy Unix milliseconds; a later run does what is left
 * @throws CommonError `service_unavailable` if the notices cannot be listed
 */
export async function mailNotices(deps: MailNoticesDeps, finishBy: number): Promise<void> {
  const { notices, clock, logger } = deps
  for (const notice of await notices.listDue(clock.now())) {
    const now = clock.now()
    if (now >= finishBy) return
    try {
      if (!(await notices.claim(notice, { now, until: now + AGAIN }))) continue
      if (now < notice.at + GIVE_UP)
        await mailOwners(deps, notice.organizationId, (look, to) => writeNotice(notice, { to, ...look }))
      await notices.remove(notice)
    } catch (error) {
      logger.error('Mail not sent', { reason: reasonOf(error) })
    }
  }
}

/** Writes the mail. It names the host alone: the rest of a URL may hold a secret. */
export function writeNotice(
  { organizationId, url }: EndpointNotice,
  { to, language, branding }: { to: string; language: Language; branding: Branding },
): Mail {
  const { mails, next } = texts[language]
  const { subject, text, unexpected } = mails.endpoint_disabled
  const action = { label: next.openApplication(branding.name), link: applicationLink(branding, organizationId) }
  const words = { subject, text: text(nameInMail(URL.parse(url)?.host ?? '')), unexpected }
  return shortMail({ branding, language }, words, { to, action })
}
