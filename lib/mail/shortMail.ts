import type { Mail } from './mailer.ts'
import { type MailLook, renderMail } from './renderMail.ts'

/** The words of a mail, each one line of plain text. */
interface ShortMailWords {
  readonly subject: string
  readonly text: string
  /** What to do about a mail that was not expected, or what is kept after the last one. */
  readonly unexpected: string
}

/** A mail that says one thing, and leads to one place at most. */
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
