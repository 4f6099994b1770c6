import type { Caller } from '../../../lib/core/identity.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import { type EmailKey, emailKey } from '../../../lib/users/emailKey.ts'
import type {
  Account,
  AccountLink,
  AccountLinks,
  Accounts,
  MailBudgets,
  User,
  Users,
} from '../../../lib/users/ports.ts'
import { registrationEnd } from '../../../lib/users/registration.ts'

/** Who holds a name: a user, or a registration's address until a time. */
interface Held {
  userId?: UserId
  address?: EmailKey
  validUntil?: number
}

/** Users, accounts, links and budgets in memory, as far as a stranger's requests reach them. */
export function createAccountsInMemory() {
  const accounts = new Map<UserId, Account>()
  const names = new Map<string, Held>()
  const addresses = new Map<EmailKey, UserId>()
  const links = new Map<string, AccountLink>()
  const budgets = new Map<string, number>()

  const isTaken = (name: string, now: number, address?: EmailKey) => {
    const held = names.get(name.toLowerCase())
    if (held === undefined || (held.validUntil !== undefined && held.validUntil <= now)) return false
    return held.address === undefined || held.address !== address
  }
  const isRegistration = (userId: UserId | undefined) =>
    userId === undefined || accounts.get(userId)?.user.isVerified === false
  const reservation = (user: User) => ({ address: emailKey(user.email), validUntil: registrationEnd(user) })
  const unused = async (): Promise<never> => {
    throw new Error('no stranger gets here')
  }

  const accountOf = ({ userId }: Caller): Account => {
    const account = accounts.get(userId)
    if (account === undefined) throw new Error('no such account')
    return account
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
    find: async (userId) => accounts.get(userId),
    findCaller: async (caller) => accountOf(caller),
    async findByEmail(key) {
      const userId = addresses.get(key)
      return userId && accounts.get(userId)
    },
    async verifyEmail({ user, digest, now }) {
      if (addresses.get(emailKey(user.email)) !== user.id) return 'link_invalid'
      const [link, account] = [links.get(digest), accounts.get(user.id)]
      if (link === undefined || link.usedAt !== undefined || account === undefined) return 'link_invalid'
      link.usedAt = now
      account.user.isVerified = true
      names.set(account.user.username.toLowerCase(), { userId: user.id })
      return 'done'
    },
    rehash: unused,
    changePassword: unused,
    endGrants: unused,
    resetPassword: unused,
    changeEmail: unused,
    undoEmailChange: unused,
  }

  const linksPort: AccountLinks = {
    find: async (digest) => links.get(digest),
    async issue(digest, link) {
      links.set(digest, { ...link })
    },
  }

  const mailBudgets: MailBudgets = {
    async spend({ kind, subject }, { everyMs, latestFull, now }) {
      const fullAt = budgets.get(`${kind} ${subject}`) ?? 0
      if (fullAt > latestFull) return { fullAt }
      budgets.set(`${kind} ${subject}`, Math.max(fullAt, now) + everyMs)
      return 'spent'
    },
  }

  return { users, accounts: accountsPort, links: linksPort, mailBudgets }
}
