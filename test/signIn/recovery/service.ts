import { randomBytes, randomUUID } from 'node:crypto'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import { fixedSecret } from '../../../lib/core/secret.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import type { AuditEntry } from '../../../lib/organizations/ports.ts'
import type { AccountDeletions } from '../../../lib/users/deletion/ports.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { createActivityInMemory } from '../../support/activityInMemory.ts'
import { plainBranding } from '../../support/branding.ts'
import { createAccountsInMemory } from '../../users/accounts/inMemoryAccounts.ts'
import { memoryAuthenticators } from '../authenticators/memoryAuthenticators.ts'
import { inMemoryGuesses } from '../hosted/simulations/inMemoryGuesses.ts'
import { totp, totpCipher, webAuthn } from './fakeCeremonies.ts'
import { createOrganizationsInMemory } from './inMemoryOrganizations.ts'
import { createSignInsInMemory } from './inMemorySignIns.ts'

const START = Date.UTC(2026, 10, 2, 8)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A mail as its mailbox has it. */
export interface Received {
  readonly mail: Mail
  readonly at: number
}

/** The product's own use cases over fakes of their ports, with a clock that only moves when a story moves it. */
export function createService() {
  let now = START
  const clock = { now: () => now, sync: async () => {} }
  const ids = { uuid: () => randomUUID(), secret: () => randomBytes(32).toString('base64url') }
  const sent: Received[] = []
  const entries: AuditEntry[] = []
  const noted = createActivityInMemory()
  const store = createAccountsInMemory({
    hasSecondFactor: (userId) => factors.hasSecondFactor(userId),
    removeRead: (userId, removal) => factors.removeRead(userId, removal),
  })
  const factors = memoryAuthenticators({
    revisionOf: store.revisionOf,
    credentialsOf: store.credentialsOf,
    takeLink: store.takeLink,
    endGrants: store.endGrants,
    ownersOf: (id) => places.ownersOf(id),
    entries,
  })
  const places = createOrganizationsInMemory((caller) => store.accounts.findCaller(caller), entries)

  const deps = {
    ...factors,
    ...createSignInsInMemory(),
    users: store.users,
    accounts: store.accounts,
    links: store.links,
    mailBudgets: store.mailBudgets,
    guesses: inMemoryGuesses(),
    passwords: {
      hash: async (text: string) => `hash of ${text}`,
      check: async (text: string, hash: string | undefined) => ({
        isRight: hash === `hash of ${text}`,
        isOutdated: false,
      }),
    },
    strength: { weaknessOf: async () => undefined },
    browserKeys: fixedSecret('key of the browsers'),
    mailer: { send: async (mail: Mail) => void sent.push({ mail, at: now }), discard: async () => {} },
    organizations: places.organizations,
    invitations: places.invitations,
    debts: { listOwed: async () => [] },
    deletions: {
      async read(caller) {
        const account = store.accountOf(caller)
        return { account, places: places.placesOf(account.user.id) }
      },
      async schedule(account, deletion, plan) {
        if (!store.scheduleDeletion(account, deletion)) return 'conflict'
        places.handOver(account.user.id, plan)
        return 'written'
      },
      async restore(use, { organizations }) {
        if (!store.restore(use)) return 'link_invalid'
        places.takeBack(organizations)
        return 'done'
      },
    } satisfies Pick<AccountDeletions, 'read' | 'schedule' | 'restore'>,
    profiles: {
      async find(userIds: readonly UserId[]) {
        const found = await Promise.all(userIds.map((userId) => store.users.find(userId)))
        return new Map(found.flatMap((user) => (user ? [[user.id, user] as const] : [])))
      },
    },
    // The people of these stories have a password alone.
    connections: { list: async () => [], remove: async () => 'not_found' as const },
    providers: { list: async () => [] },
    addressFirst: undefined,
    nameBrowser: async () => 'Firefox on Linux',
    // The people of these stories confirm a new address with the password.
    browserHoldsFamily: async () => false,
    qrCode: () => [],
    endEarlierSessions: async () => {},
    webAuthn,
    totp,
    totpCipher,
    ids,
    clock,
    activity: noted.activity,
    mailSettings: store.mailSettings,
    origin: () => ({ sourceIp: '203.0.113.7', userAgent: undefined, country: 'DE' }),
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    accountUrl: 'https://api.console.example.com',
    branding: plainBranding,
  }

  return {
    deps,
    now: () => now,
    wait(milliseconds: number) {
      now += milliseconds
    },
    /** A new account, a month old unless its age is given. */
    async register(email: string, password: string, ageMs = 30 * DAY): Promise<UserId> {
      const id = userIdSchema.parse(randomUUID())
      const flags = { isActive: true, isVerified: true, isSuperuser: false }
      const user = { id, email, username: emailKey(email).slice(0, 20), ...flags, createdAt: now - ageMs }
      await store.users.create(user, `hash of ${password}`)
      return id
    },
    /** A new organization with these owners. */
    found(...owners: readonly UserId[]): OrganizationId {
      const id = organizationIdSchema.parse(randomUUID())
      places.add(
        id,
        owners.map((userId) => [userId, 'owner']),
      )
      return id
    },
    ownersOf: places.ownersOf,
    places,
    /** What decides about the grants of an account. */
    stateOf: store.stateOf,
    /** Whether an organization goes with its user's account. */
    isDeleted: places.isDeleted,
    join: places.join,
    entries,
    /** What the activity of a user has, oldest first. */
    activity: (userId: UserId) => noted.recorded.flatMap((entry) => (entry.userId === userId ? [entry.type] : [])),
    /** The mails to an address, oldest first. */
    mailsTo: (address: string) => sent.filter(({ mail }) => mail.to === address),
  }
}

export type Service = ReturnType<typeof createService>
