import type { Mail } from '../mail/mailer.ts'
import { type MailLook, renderMail } from '../mail/renderMail.ts'
import { texts } from '../texts/texts.ts'

/** A mail that asks for nothing. */
interface Notice {
  readonly to: string
}

/** Before a request to remove the second factors is stored. @param mayBeApproved whether an owner is asked, or 7 days are waited */
export function resetRequested(
  look: MailLook,
  { to, mayBeApproved }: Notice & { readonly mayBeApproved: boolean },
): Mail {
  return withoutAction(look, mayBeApproved ? 'factorResetRequested' : 'factorResetScheduled', { to })
}

/** Before an owner's approval is stored. */
export function resetApproved(look: MailLook, notice: Notice): Mail {
  return withoutAction(look, 'factorResetApproved', notice)
}

/** After the second factors were removed. */
export function resetDone(look: MailLook, notice: Notice): Mail {
  return withoutAction(look, 'factorResetDone', notice)
}

type NoticeName = 'factorResetRequested' | 'factorResetScheduled' | 'factorResetApproved' | 'factorResetDone'

function withoutAction(look: MailLook, name: NoticeName, { to }: Notice): Mail {
  const { subject, text, unexpected } = texts[look.language].mails[name]
  return renderMail(look, { to, subject, paragraphs: [text], notes: [unexpected] })
}
