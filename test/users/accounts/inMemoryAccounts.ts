import { CommonError } from '../../../lib/core/errors.ts'
import { type GrantState, requireLiveGrant } from '../../../lib/core/grant.ts'
import type { Caller } from '../../../lib/core/identity.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import type { Language } from '../../../lib/core/language.ts'
import { requireRecentSignIn } from '../../../lib/core/stepUp.ts'
import { type EmailKey, emailKey } from '../../../lib/users/emailKey.ts'
import type {
  Account,
  AccountDeletion,
  AccountLink,
  AccountLinks,
  Accounts,
  AuthenticatorRemoval,
  LinkUse,
  MailSettings,
  NewPassword,
  User,
  Users,
} from '../../../lib/users/ports.ts'
import { registrationEnd } from '../../../lib/users/registration.ts'
import { createMailBudgetsInMemory } from '../../support/mailBudgetsInMemory.ts'

/** Who holds a name: a user, or a registration's address until a time. */
interface Held {
  userId?: UserId
  address?: EmailKey
  validUntil?: number
}

/** What is stored of users' authenticators elsewhere, and removed in the transactions of accounts. */
interface OtherStores {
  readonly hasSecondFactor: (userId: UserId) => boolean
  /** False if they are not those that were read. */
  readonly removeRead: (userId: UserId, removal: AuthenticatorRemoval) => boolean
}
const noAuthenticators: OtherStores = { hasSecondFactor: () => false, removeRead: () => true }

/** Users, accounts, links and budgets in memory. */
export function createAccountsInMemory({ hasSecondFactor, removeRead } = noAuthenticators) {
  const accounts = new Map<UserId, Account>()
  const names = new Map<string, Held>()
  const addresses = new Map<EmailKey, UserId>()
  const links = new Map<string, AccountLink>()
  const passwordsSetAt = new Map<UserId, number>()
  const languages = new Map<UserId, Language>()

  const isTaken = (name: string, now: number, address?: EmailKey) => {
    const held = names.get(name.toLowerCase())
    if (held === undefined || (held.validUntil !== undefined && held.validUntil <= now)) return false
    return held.address === undefined || held.address !== address
  }
  const isRegistration = (userId: UserId | undefined) =>
    userId === undefined || accounts.get(userId)?.user.isVerified === false
  const reservation = (user: User) => ({ address: emailKey(user.email), validUntil: registrationEnd(user) })

  /** What is stored, as readers get it: a copy. */
  const read = (userId: UserId): Account | undefined => {
    const account = accounts.get(userId)
    return account && structuredClone({ ...account, ...(hasSecondFactor(userId) && { hasSecondFactor: true }) })
  }

  const accountOf = (caller: Caller): Account => {
    const account = read(caller.userId)
    requireLiveGrant(caller, account && { ...account, isActive: account.user.isActive }, false)
    if (account === undefined) throw new CommonError('invalid_token')
    requireRecentSignIn(caller.signInToCheck, { hasSecondFactor: account.hasSecondFactor ?? false })
    return account
  }

  /** The stored account, if it is at this revision and active, or being deleted. */
  const stored = (userId: UserId, securityRev: number, isBeingDeleted = false): Account | undefined => {
    const account = accounts.get(userId)
    if (account === undefined || account.securityRev !== securityRev) return undefined
    return account.user.isActive || (isBeingDeleted && account.deletion !== undefined) ? account : undefined
  }
  const isUsable = ({ digest, now }: LinkUse) => {
    const link = links.get(digest)
    return link !== undefined && link.usedAt === undefined && link.validUntil > now
  }
  const consume = ({ digest, now }: LinkUse) => {
    const link = links.get(digest)
    if (link !== undefined) link.usedAt = now
  }
  const endGrants = (account: Account, keptFamily?: string) => {
    account.securityRev += 1
    account.keptFamily = keptFamily
  }
  const setPassword = (account: Account, { passwordHash, keptFamily, setAt }: NewPassword) => {
    account.passwordHash = passwordHash
    if (setAt !== undefined) {
      account.previousPasswordSetAt = passwordsSetAt.get(account.user.id) ?? account.user.createdAt
      passwordsSetAt.set(account.user.id, setAt)
    }
    account.credentialsRev = (account.credentialsRev ?? 0) + 1
    endGrants(account, keptFamily)
  }
  const verify = (account: Account) => {
    account.user.isVerified = true
    names.set(account.user.username.toLowerCase(), { userId: account.user.id })
  }
  /** Whether another account holds the address; a registration gives way. */
  const isHeld = (userId: UserId, email: string) => {
    const holder = addresses.get(emailKey(email))
    return holder !== undefined && holder !== userId && !isRegistration(holder)
  }
  const move = (account: Account, email: string, formerEmails: Account['formerEmails'], keptFamily?: string) => {
    addresses.delete(emailKey(account.user.email))
    addresses.set(emailKey(email), account.user.id)
    account.user.email = email
    account.credentialsRev = (account.credentialsRev ?? 0) + 1
    account.formerEmails = formerEmails
    verify(account)
    endGrants(account, keptFamily)
  }

  const users: Users = {
    find: async (userId) => accounts.get(userId)?.user,
    findCaller: async (caller) => ({ ...accountOf(caller).user }),
    async rename(userId, { from, to, now }) {
      if (isTaken(to, now)) return 'username_taken'
      const account = accounts.get(userId)
      if (account?.user.username !== from) return 'conflict'
      account.user.username = to
      names.delete(from.toLowerCase())
      names.set(to.toLowerCase(), { userId })
      return 'renamed'
    },
    async create(user, passwordHash) {
      const key = emailKey(user.email)
      if (isTaken(user.username, user.createdAt, key)) return 'username_taken'
      if (!isRegistration(addresses.get(key))) return 'email_taken'
      const security = { securityRev: 0, keptFamily: undefined, formerEmails: [] }
      accounts.set(user.id, { user: { ...user }, passwordHash, ...security })
      addresses.set(key, user.id)
      names.set(user.username.toLowerCase(), { userId: user.id, ...(!user.isVerified && reservation(user)) })
      return 'created'
    },
    async reserveName(user) {
      if (isTaken(user.username, user.createdAt, emailKey(user.email))) return 'username_taken'
      names.set(user.username.toLowerCase(), reservation(user))
      return 'reserved'
    },
  }

  const accountsPort: Accounts = {
    find: async (userId) => read(userId),
    findCaller: async (caller) => accountOf(caller),
    async findByEmail(key) {
      const userId = addresses.get(key)
      return userId && read(userId)
    },
    async rehash(userId, { from, to }) {
      const account = accounts.get(userId)
      if (account?.passwordHash === from) account.passwordHash = to
    },
    async changePassword({ user, securityRev }, to) {
      const account = stored(user.id, securityRev)
      if (account === undefined) return 'conflict'
      setPassword(account, to)
      return 'changed'
    },
    async endGrants({ user, securityRev }) {
      const account = stored(user.id, securityRev)
      if (account === undefined) return 'conflict'
      endGrants(account)
      return 'ended'
    },
    async verifyEmail(use) {
      const account = stored(use.user.id, use.link.securityRev)
      const isHolder = addresses.get(emailKey(use.user.email)) === use.user.id
      if (account === undefined || !isHolder || !isUsable(use)) return 'link_invalid'
      consume(use)
      verify(account)
      return 'done'
    },
    async resetPassword(use, to, removal) {
      const account = stored(use.link.userId, use.link.securityRev)
      if (account === undefined || !isUsable(use)) return 'link_invalid'
      if (removal !== undefined && !removeRead(use.link.userId, removal)) return 'conflict'
      consume(use)
      verify(account)
      setPassword(account, to)
      return 'done'
    },
    async undoFactor(use, to, { securityRev, removal }) {
      if (!isUsable(use)) return 'link_invalid'
      const account = stored(use.link.userId, securityRev)
      if (account === undefined || !removeRead(use.link.userId, removal)) return 'conflict'
      consume(use)
      verify(account)
      setPassword(account, to)
      return 'done'
    },
    async changeEmail(use, formerEmails) {
      const { userId, email, securityRev, familyId } = use.link
      const account = stored(userId, securityRev)
      if (account === undefined || !isUsable(use)) return 'link_invalid'
      if (isHeld(userId, email)) return 'email_taken'
      consume(use)
      move(account, email, formerEmails, familyId)
      return 'done'
    },
    async undoEmailChange(use, { securityRev, formerEmails }) {
      const { userId, email } = use.link
      if (!isUsable(use)) return 'link_invalid'
      const account = stored(userId, securityRev, true)
      if (account === undefined) return 'conflict'
      if (isHeld(userId, email)) return 'email_taken'
      consume(use)
      move(account, email, formerEmails)
      return 'done'
    },
  }

  const linksPort: AccountLinks = {
    find: async (digest) => links.get(digest),
    async issue(digest, link) {
      links.set(digest, { ...link })
    },
  }

  return {
    users,
    accounts: accountsPort,
    links: linksPort,
    /** Uses a link that is usable. */
    takeLink(use: LinkUse) {
      const isTaken = isUsable(use)
      if (isTaken) consume(use)
      return isTaken
    },
    endGrants(userId: UserId) {
      const account = accounts.get(userId)
      if (account !== undefined) endGrants(account)
    },
    credentialsOf: (userId: UserId) => accounts.get(userId)?.credentialsRev ?? 0,
    mailBudgets: createMailBudgetsInMemory(),
    mailSettings: {
      async noteLanguage(userId, language) {
        languages.set(userId, language)
      },
      async setSignInMails({ userId }, signInMails) {
        const account = accounts.get(userId)
        if (account === undefined) return 'conflict'
        account.signInMails = signInMails
        return 'written'
      },
    } satisfies MailSettings,
    /** The caller's account, as an operation reads it that checks the grant. */
    accountOf,
    /** Switches an account off until it is erased; false if it has changed since it was read. */
    scheduleDeletion({ user, securityRev }: Account, deletion: AccountDeletion) {
      const account = stored(user.id, securityRev)
      if (account === undefined) return false
      account.user.isActive = false
      account.deletion = deletion
      endGrants(account)
      return true
    },
    /** Uses a link that restores an account; false if it cannot be used. */
    restore(use: LinkUse) {
      const account = stored(use.link.userId, use.link.securityRev, true)
      if (account?.deletion === undefined || !isUsable(use)) return false
      consume(use)
      account.user.isActive = true
      delete account.deletion
      endGrants(account)
      return true
    },
    /** Of the user's last sign-in. */
    languageOf: (userId: UserId) => languages.get(userId),
    /** What decides about the grants of an account. */
    stateOf(userId: UserId): GrantState | undefined {
      const account = accounts.get(userId)
      return account && { ...account, isActive: account.user.isActive }
    },
    /** The revision of an active account. */
    revisionOf: (userId: UserId) => {
      const account = accounts.get(userId)
      return account?.user.isActive ? account.securityRev : undefined
    },
  }
}
