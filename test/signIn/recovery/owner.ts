import { forgotPassword } from '../../../lib/users/password/resetPassword.ts'
import { type Factors, noFactors, openBrowser } from './browser.ts'
import { followLink, linkIn } from './mailbox.ts'
import type { Service } from './service.ts'

/** How an owner answers to a theft. */
export type Answering = 'everything' | 'undo' | 'reset'

/** The person whose account it is: reads the mailbox from some day on, and then does what its mails say until they are in. */
export function createOwner(service: Service, email: string, firstPassword: string) {
  const { deps } = service
  const browser = openBrowser(service)
  const factors: Factors = noFactors()
  let password = firstPassword
  let passwords = 0
  let read = 0

  const ownIds = () => factors.passkeys.map(({ id }) => id)
  const nextPassword = () => {
    passwords += 1
    return `the owner’s phrase no ${passwords}`
  }

  /** Follows a link; its password, if it asks for one, is the owner's from then on. */
  async function follow(link: NonNullable<ReturnType<typeof linkIn>>): Promise<void> {
    const chosen = nextPassword()
    if ((await followLink(service, browser, link, { password: chosen, own: ownIds() })) === 'done') password = chosen
  }

  /** What mails offer to undo, in the order in which they came. */
  async function undoWhatMailsOffer(): Promise<void> {
    const mails = service.mailsTo(email)
    for (const { mail } of mails.slice(read)) {
      const link = linkIn(mail)
      if (link?.purpose.startsWith('undo') || link?.purpose === 'restore_account') await follow(link)
    }
    read = mails.length
  }

  /** Asks for a link to a new password, and follows what is mailed. If the account is being deleted, that keeps it, so asks again. */
  async function resetPassword(): Promise<void> {
    for (const _ of ['keeps the account', 'sets a password']) {
      await forgotPassword(deps, { email, sourceIp: '203.0.113.20', language: 'en' })
      const mail = service.mailsTo(email).at(-1)?.mail
      const link = mail && linkIn(mail)
      if (link?.purpose === 'reset_password' || link?.purpose === 'restore_account') await follow(link)
      if (link?.purpose !== 'restore_account') return
    }
  }

  return {
    email,
    browser,
    factors,
    password: () => password,
    /** What the owner does on a day, from when they have noticed; whether they are in after it. */
    async recover(by: Answering = 'everything'): Promise<boolean> {
      if (by !== 'reset') await undoWhatMailsOffer()
      const hasNewPassword = password !== firstPassword
      if (hasNewPassword && (await browser.signIn(email, password, factors)) === 'in') return true
      if (by !== 'undo') await resetPassword()
      return (await browser.signIn(email, password, factors)) === 'in'
    },
  }
}

export type Owner = ReturnType<typeof createOwner>
