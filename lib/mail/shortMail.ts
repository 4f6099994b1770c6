import { type Texts, texts } from '../texts/texts.ts'
import { accountLinkUrl } from './accountLinkUrl.ts'
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

/** A mail about a change that another person may have made. */
export interface ChangeNotice extends Notice {
  /** Base URL of the links in mails. */
  readonly accountUrl: string
}

/** The mails whose words are the same each time, and which lead to a new password. */
type ChangeNoticeName = {
  [Name in keyof Mails]: Mails[Name] extends ShortMailWords & { readonly action: string; readonly once?: never }
    ? Name
    : never
}[keyof Mails]

/**
 * The way for a user who did not make a change: the form that mails a link to a new password. It asks for the address alone, because a thief
 * may know the password, and may have added the second factor that a sign-in asks for.
 */
export function newPasswordAction(label: string, accountUrl: string) {
  return { label, link: accountLinkUrl(accountUrl, 'forgot_password') }
}

/** Writes a notice by the words of this name, with the way to a new password. */
export function changeMail(name: ChangeNoticeName): (look: MailLook, notice: ChangeNotice) => Mail {
  return (look, { to, accountUrl }) => {
    const { action, ...words } = texts[look.language].mails[name]
    return shortMail(look, words, { to, action: newPasswordAction(action, accountUrl) })
  }
}

/** Writes a notice by the words of this name. */
export function noticeMail(name: NoticeName): (look: MailLook, notice: Notice) => Mail {
  return (look, { to }) => shortMail(look, texts[look.language].mails[name], { to })
}
