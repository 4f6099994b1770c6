import { type Texts, texts } from '../texts/texts.ts'
import type { Mail } from './mailer.ts'
import { type MailLook, renderMail } from './renderMail.ts'

/** The words of a mail, each a single line of plain text. */
interface ShortMailWords {
  readonly subject: string
  readonly text: string
  /** What to do about an unexpected mail, or what is kept after the last mail. */
  readonly unexpected: string
}

/** A mail with a single paragraph and at most one link. */
export function shortMail(
  look: MailLook,
  { subject, text, unexpected }: ShortMailWords,
  {
    to,
    action,
    once,
  }: {
    readonly to: string
    readonly action?: { readonly label: string; readonly link: string }
    /** How often and how long the link can be used. */
    readonly once?: string
  },
): Mail {
  const notes = once === undefined ? [unexpected] : [once, unexpected]
  return renderMail(look, { to, subject, paragraphs: [text], notes, ...(action && { action }) })
}

/** A mail that asks for nothing. */
export interface Notice {
  readonly to: string
}

type Mails = Texts['mails']
/** The mails whose words are the same each time, and which lead nowhere. */
type NoticeName = {
  [Name in keyof Mails]: Mails[Name] extends ShortMailWords & { readonly action?: never } ? Name : never
}[keyof Mails]

/** Writes a notice by the words of this name. */
export function noticeMail(name: NoticeName): (look: MailLook, notice: Notice) => Mail {
  return (look, { to }) => shortMail(look, texts[look.language].mails[name], { to })
}
