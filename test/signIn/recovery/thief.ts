import { contract as invitation } from '../../../functions/organizations-invite/contract.ts'
import { contract as removal } from '../../../functions/organizations-member-remove/contract.ts'
import { contract as roleChange } from '../../../functions/organizations-member-role/contract.ts'
import { contract as deletion } from '../../../functions/users-me-delete/contract.ts'
import { contract as emailChange } from '../../../functions/users-me-email-change/contract.ts'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import { inviteMember } from '../../../lib/organizations/invitations/inviteMember.ts'
import { changeMemberRole } from '../../../lib/organizations/members/changeMemberRole.ts'
import { removeMember } from '../../../lib/organizations/members/removeMember.ts'
import { deleteAccount } from '../../../lib/users/deletion/deleteAccount.ts'
import { requestEmailChange } from '../../../lib/users/email/requestEmailChange.ts'
import { changePassword } from '../../../lib/users/password/changePassword.ts'
import { forgotPassword } from '../../../lib/users/password/resetPassword.ts'
import { type Factors, noFactors, openBrowser } from './browser.ts'
import { followLink, linkIn } from './mailbox.ts'
import type { Service } from './service.ts'

export const THIEFS_MAILBOX = 'mallory@example.net'
const ACCOMPLICE = 'accomplice@example.net'

/** What the thief can do in the account, each once it is possible. */
export type Deed =
  | 'adds a passkey'
  | 'adds an app'
  | 'makes recovery codes'
  | 'changes the password'
  | 'moves the account to another address'
  | 'invites an accomplice as an owner'
  | 'removes the owner by the accomplice'
  | 'deletes the account'

interface Loot {
  readonly email: string
  readonly password: string
  readonly organizations: readonly OrganizationId[]
  readonly ownerId: UserId
}

/** The person who stole the password: tries everything they ever got, and does the deeds of their plan in turn. */
export function createThief(service: Service, { email, password, organizations, ownerId }: Loot) {
  const { deps } = service
  const browser = openBrowser(service)
  const factors: Factors = noFactors()
  const passwords = [password]
  const emails = [email]
  const done = new Set<Deed>()
  const refusals: string[] = []
  let accomplice: UserId | undefined
  let read = 0

  async function keep(made: Promise<string>): Promise<boolean> {
    const outcome = await made
    if (outcome !== 'done') refusals.push(outcome)
    return outcome === 'done'
  }

  const deeds: Record<Deed, () => Promise<boolean>> = {
    'adds a passkey': () => browser.addPasskey(factors),
    'adds an app': () => browser.addTotp(factors),
    'makes recovery codes': () => browser.makeCodes(factors),
    async 'changes the password'() {
      const [currentPassword = ''] = passwords
      const newPassword = `the thief’s phrase no ${passwords.length}`
      const change = { currentPassword, newPassword, language: 'en' } as const
      const isDone = await keep(browser.call({}, change, (caller) => changePassword(deps, caller, change)))
      if (isDone) passwords.unshift(newPassword)
      return isDone
    },
    async 'moves the account to another address'() {
      const [currentPassword = ''] = passwords
      const change = { email: THIEFS_MAILBOX, currentPassword, language: 'en' } as const
      const isAsked = await keep(
        browser.call(emailChange, change, (caller) => requestEmailChange(deps, caller, change)),
      )
      const mail = service.mailsTo(THIEFS_MAILBOX).at(-1)?.mail
      const link = mail && linkIn(mail)
      if (!isAsked || link === undefined || (await followLink(service, browser, link, {})) !== 'done') return false
      emails.unshift(THIEFS_MAILBOX)
      return true
    },
    'deletes the account': () => keep(browser.call(deletion, {}, (caller) => deleteAccount(deps, caller, 'en'))),
    async 'invites an accomplice as an owner'() {
      accomplice ??= await service.register(ACCOMPLICE, 'the accomplice’s own phrase')
      const invited = { email: ACCOMPLICE, role: 'owner', language: 'en' } as const
      let isDone = true
      for (const organizationId of organizations) {
        const call = browser.call(invitation, invited, (caller) =>
          inviteMember(deps, { organizationId, caller, ...invited }),
        )
        isDone = (await keep(call)) && isDone
      }
      service.join(accomplice, ACCOMPLICE, service.now())
      return isDone
    },
    async 'removes the owner by the accomplice'() {
      if (accomplice === undefined) return false
      const own = openBrowser(service)
      await own.signIn(ACCOMPLICE, 'the accomplice’s own phrase')
      let isDone = true
      for (const organizationId of organizations) {
        const member = { organizationId, memberId: ownerId }
        await own.call(roleChange, { role: 'member' }, (caller) =>
          changeMemberRole(deps, { ...member, caller, role: 'member' }),
        )
        const removed = own.call(removal, {}, (caller) => removeMember(deps, { ...member, caller }))
        isDone = (await keep(removed)) && isDone
      }
      return isDone
    },
  }

  /** Takes what mails to the thief's own mailbox give: links that undo, and a reset if the account is there. */
  async function useMailbox(): Promise<void> {
    const phrase = `the thief’s phrase no ${passwords.length}`
    const follow = async (link: ReturnType<typeof linkIn>) => {
      if (link && (await followLink(service, browser, link, { password: phrase })) === 'done') passwords.unshift(phrase)
    }
    const mails = service.mailsTo(THIEFS_MAILBOX)
    for (const { mail } of mails.slice(read)) await follow(linkIn(mail))
    await forgotPassword(deps, { email: THIEFS_MAILBOX, sourceIp: '203.0.113.66', language: 'en' })
    for (const { mail } of service.mailsTo(THIEFS_MAILBOX).slice(mails.length)) await follow(linkIn(mail))
    read = mails.length
  }

  async function getIn(): Promise<boolean> {
    if (await browser.isIn()) return true
    for (const passkey of factors.passkeys) {
      if ((await browser.signInByPasskeyAlone(passkey)) === 'in') return true
    }
    for (const address of emails) {
      for (const known of passwords.slice(0, 3)) {
        if ((await browser.signIn(address, known, factors)) === 'in') return true
      }
    }
    return false
  }

  /** Signs in anew, for what asks for a recent sign-in. */
  async function signInAnew(): Promise<void> {
    for (const address of emails) {
      if ((await browser.signIn(address, passwords[0] ?? '', factors)) === 'in') return
    }
  }

  return {
    factors,
    /** The codes of what was refused to the thief. */
    refusals,
    done,
    /** What the thief does on a day; whether they were in the account. */
    async strike(plan: readonly Deed[]): Promise<boolean> {
      if (emails.length > 1) await useMailbox()
      const isIn = await getIn()
      if (!isIn) return false
      for (const deed of plan.filter((one) => !done.has(one))) {
        await signInAnew()
        if (await deeds[deed]()) done.add(deed)
        service.wait(60_000)
      }
      return true
    },
  }
}

export type Thief = ReturnType<typeof createThief>
