import type {
  Addition,
  Authenticators,
  Challenge,
  Challenges,
  DueResetStep,
  DueResetSteps,
  FactorReset,
  FactorResetApprovals,
  FactorResets,
  OperatedFactors,
  Passkey,
  Passkeys,
  PendingTotp,
  RecoveryCodeStore,
  ResetSchedule,
  TotpAuthenticator,
  TotpAuthenticators,
} from '../../../lib/authenticators/ports.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import type { Caller } from '../../../lib/core/identity.ts'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import type { AuditEntry } from '../../../lib/organizations/ports.ts'
import type { AuthenticatorRemoval, LinkUse } from '../../../lib/users/ports.ts'

/** Every store of authenticators. */
export interface Stores {
  readonly authenticators: Authenticators
  readonly challenges: Challenges
  readonly passkeys: Passkeys
  readonly totpAuthenticators: TotpAuthenticators
  readonly recoveryCodes: RecoveryCodeStore
  readonly resets: FactorResets
  readonly approvals: FactorResetApprovals
  readonly steps: DueResetSteps
  readonly operatedFactors: OperatedFactors
}

interface StoredCodes extends Addition {
  codes: Map<string, boolean>
  lastUsedAt: number
}

/** What is stored of a user. */
interface Own {
  passkeys: Map<string, Passkey>
  totp?: TotpAuthenticator
  failed?: { known?: number; pending?: number } | undefined
  pending?: PendingTotp
  codes?: StoredCodes
  reset?: FactorReset
}

/** What is stored beside authenticators. */
interface World {
  /** The `securityRev` of an account. */
  readonly revisionOf: (userId: UserId) => number | undefined
  /** How often its password or address has changed. */
  readonly credentialsOf: (userId: UserId) => number
  /** Whether the link was usable, and is used now. */
  readonly takeLink: (use: LinkUse) => boolean
  readonly endGrants: (userId: UserId) => void
  readonly ownersOf: (organizationId: OrganizationId) => readonly UserId[]
  readonly entries: AuditEntry[]
}

/** The stores in memory, held to the same tests as those in DynamoDB. @param world what other parts of the service store, and the audit log */
export function memoryAuthenticators({ ownersOf, entries, ...world }: World): Stores & {
  /** What the account notes of them. */
  hasSecondFactor(userId: UserId): boolean
  /** Removes some of them in the transaction of an account; false if they are not those that were read. */
  removeRead(userId: UserId, removal: AuthenticatorRemoval): boolean
} {
  const users = new Map<UserId, Own>()
  const challenges = new Map<string, Challenge>()
  const isAt = (userId: UserId, securityRev: number) => world.revisionOf(userId) === securityRev
  const hasSame = (userId: UserId, credentialsRev: number) =>
    world.revisionOf(userId) !== undefined && world.credentialsOf(userId) === credentialsRev
  const of = (userId: UserId): Own => {
    const own = users.get(userId) ?? { passkeys: new Map() }
    users.set(userId, own)
    return own
  }
  const liveOf = ({ userId, securityRev }: Caller): Own => {
    if (!isAt(userId, securityRev)) throw new CommonError('invalid_token')
    return of(userId)
  }
  const steps = new Map<string, DueResetStep>()
  const keyOf = ({ at, step, userId }: DueResetStep) => `${at} ${step} ${userId}`
  const plan = (userId: UserId, { effectiveAt, steps: planned }: ResetSchedule) => {
    for (const step of planned) {
      const due = { ...step, userId, effectiveAt }
      steps.set(keyOf(due), due)
    }
  }
  const ownerOf = (id: string) => [...users].find(([, own]) => own.passkeys.has(id))
  const isGood = (challenge: string, now: number) => (challenges.get(challenge)?.validUntil ?? 0) > now

  function listOf(userId: UserId) {
    const { passkeys, totp, codes } = of(userId)
    return {
      passkeys: [...passkeys.values()].toSorted((a, b) => a.createdAt - b.createdAt),
      totp,
      recoveryCodes: codes && {
        left: [...codes.codes.values()].filter((isUsed) => !isUsed).length,
        createdAt: codes.createdAt,
        ...(codes.addedFrom && { addedFrom: codes.addedFrom }),
        ...(codes.newUntil && { newUntil: codes.newUntil }),
        lastUsedAt: codes.lastUsedAt,
      },
    }
  }

  return {
    hasSecondFactor(userId) {
      const { passkeys, totp } = of(userId)
      return passkeys.size > 0 || totp !== undefined
    },

    removeRead(userId, { read, removed }) {
      const own = of(userId)
      const isSame = (a: { createdAt: number } | undefined, b: { createdAt: number } | undefined) =>
        a?.createdAt === b?.createdAt
      const isAsRead = own.passkeys.size === read.passkeys.length && isSame(own.totp, read.totp)
      const areStored = removed.passkeys.every(({ id }) => own.passkeys.has(id))
      if (!isAsRead || !areStored || !isSame(own.codes, read.recoveryCodes)) return false
      for (const { id } of removed.passkeys) own.passkeys.delete(id)
      if (removed.totp) delete own.totp
      if (removed.recoveryCodes) delete own.codes
      delete own.pending
      return true
    },

    authenticators: { list: async (userId) => structuredClone(listOf(userId)) },

    challenges: {
      issue: async (challenge, record) => void challenges.set(challenge, record),
      find: async (challenge) => challenges.get(challenge),
    },

    passkeys: {
      async find(id) {
        const owner = ownerOf(id)
        const passkey = owner?.[1].passkeys.get(id)
        return owner && passkey && { userId: owner[0], passkey }
      },
      async add(by, passkey, { challenge, now, limit }) {
        const { passkeys } = liveOf(by)
        if (!isGood(challenge, now)) return 'challenge_used'
        if (ownerOf(passkey.id)) return 'already_registered'
        if (passkeys.size >= limit) return 'too_many'
        challenges.delete(challenge)
        passkeys.set(passkey.id, passkey)
        return 'added'
      },
      async rename(by, id, name) {
        const { passkeys } = liveOf(by)
        const passkey = passkeys.get(id)
        if (passkey) passkeys.set(id, { ...passkey, name })
        return passkey ? 'renamed' : 'not_found'
      },
      async remove(by, id) {
        const own = liveOf(by)
        if (!own.passkeys.delete(id)) return 'not_found'
        return 'removed'
      },
      async use(userId, id, { challenge, now, counter, backedUp }) {
        const { passkeys } = of(userId)
        const passkey = passkeys.get(id)
        if (!passkey || !isGood(challenge, now)) return 'refused'
        if (passkey.counter >= counter && (passkey.counter > 0 || counter > 0)) return 'refused'
        challenges.delete(challenge)
        passkeys.set(id, { ...passkey, counter, backedUp, lastUsedAt: now })
        return 'used'
      },
    },

    totpAuthenticators: {
      find: async (userId) => of(userId).totp,
      findPending: async (userId) => of(userId).pending,
      async begin(by, pending) {
        liveOf(by).pending = pending
      },
      async confirm(by, { id }, totp) {
        const own = liveOf(by)
        if (own.pending?.id !== id || own.pending.validUntil <= totp.createdAt) return 'gone'
        if (own.totp) return 'exists'
        delete own.pending
        own.totp = totp
        return 'confirmed'
      },
      async countTry(userId, { cipher }, { securityRev, from, limit }) {
        const own = of(userId)
        if (own.totp?.cipher !== cipher) return 'full'
        const isFirst = own.totp.failedAtRev !== securityRev
        const failed = isFirst ? {} : own.failed
        if ((failed?.[from] ?? 0) >= limit) return 'full'
        own.failed = { ...failed, [from]: (failed?.[from] ?? 0) + 1 }
        own.totp = { ...own.totp, failedAtRev: securityRev }
        return 'counted'
      },
      async forgive(userId) {
        const own = of(userId)
        if (own.totp === undefined) return
        const { failedAtRev: _, ...totp } = own.totp
        own.totp = totp
      },
      async takeStep(userId, { cipher }, { step, now, from }) {
        const own = of(userId)
        if (own.totp?.cipher !== cipher || own.totp.lastStep >= step) return 'refused'
        own.totp = { ...own.totp, lastStep: step, lastUsedAt: now }
        own.failed = { ...own.failed, [from]: 0 }
        return 'taken'
      },
      async remove(by) {
        const own = liveOf(by)
        if (!own.totp) return 'not_found'
        delete own.totp
        return 'removed'
      },
    },

    recoveryCodes: {
      async replace(by, digests, addition) {
        const codes = new Map(digests.map((digest) => [digest, false]))
        liveOf(by).codes = { codes, ...addition, lastUsedAt: addition.createdAt }
      },
      async use(userId, digest, now) {
        const { codes } = of(userId)
        if (codes?.codes.get(digest) !== false) return false
        codes.codes.set(digest, true)
        codes.lastUsedAt = now
        return true
      },
    },

    approvals: {
      async approve(by, userId, { id, credentialsRev }, { entry, approval, ...schedule }) {
        liveOf(by)
        const own = of(userId)
        const isOpen = own.reset?.id === id && own.reset.effectiveAt !== undefined && own.reset.approval === undefined
        const owners = ownersOf(approval.organizationId)
        if (!hasSame(userId, credentialsRev) || !isOpen || own.reset === undefined || !owners.includes(by.userId))
          return false
        own.reset = { ...own.reset, approval, effectiveAt: schedule.effectiveAt }
        plan(userId, schedule)
        entries.push(entry)
        return true
      },
    },

    steps: {
      list: async (now) => [...steps.values()].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at),
      dismiss: async (due) => void steps.delete(keyOf(due)),
    },

    operatedFactors: {
      async schedule(userId, reset, { replaces, entries: written, ...schedule }) {
        if (world.revisionOf(userId) === undefined || of(userId).reset?.id !== replaces?.id) return 'conflict'
        of(userId).reset = reset
        plan(userId, schedule)
        entries.push(...written)
        return 'changed'
      },
      async remove({ user: { id: userId }, securityRev }, seen, { at, language, entries: written }) {
        const isSeen = JSON.stringify(listOf(userId)) === JSON.stringify(seen)
        // Undefined for a suspended account, whose factors an operator removes too.
        const revision = world.revisionOf(userId) ?? securityRev
        if (revision !== securityRev || !isSeen) return 'conflict'
        users.delete(userId)
        world.endGrants(userId)
        const due = { step: 'removed' as const, at, userId, effectiveAt: at, language }
        steps.set(keyOf(due), due)
        entries.push(...written)
        return 'changed'
      },
      async removeTotp({ user: { id: userId }, securityRev }, seen, { at, language, entries: written }) {
        const isSeen = JSON.stringify(listOf(userId)) === JSON.stringify(seen)
        const revision = world.revisionOf(userId) ?? securityRev
        if (revision !== securityRev || !isSeen || seen.totp === undefined) return 'conflict'
        delete of(userId).totp
        const due = { step: 'totp_removed' as const, at, userId, effectiveAt: at, language }
        steps.set(keyOf(due), due)
        entries.push(...written)
        return 'changed'
      },
      listTotpUsers: async () => [...users].flatMap(([userId, { totp }]) => (totp === undefined ? [] : [userId])),
    },

    resets: {
      find: async (userId) => of(userId).reset,
      async request(userId, reset, replaces) {
        if (!hasSame(userId, reset.credentialsRev) || of(userId).reset?.id !== replaces?.id) return false
        of(userId).reset = reset
        return true
      },
      async confirm(use, { id, credentialsRev }, schedule) {
        const own = of(use.link.userId)
        const isOpen = own.reset?.id === id && own.reset.effectiveAt === undefined
        if (!hasSame(use.link.userId, credentialsRev) || !isOpen || own.reset === undefined) return 'link_invalid'
        if (!world.takeLink(use)) return 'link_invalid'
        own.reset = { ...own.reset, effectiveAt: schedule.effectiveAt }
        plan(use.link.userId, schedule)
        return 'done'
      },
      async cancel(by, id) {
        const own = liveOf(by)
        if (own.reset?.id !== id) return false
        delete own.reset
        return true
      },
      async complete({ user: { id: userId }, securityRev }, { id, credentialsRev, operated }, seen) {
        const isSeen = JSON.stringify(listOf(userId)) === JSON.stringify(seen)
        const hasCredentials = operated !== undefined || hasSame(userId, credentialsRev)
        if (!isAt(userId, securityRev) || !hasCredentials) return false
        if (of(userId).reset?.id !== id || !isSeen) return false
        users.delete(userId)
        world.endGrants(userId)
        return true
      },
    },
  }
}
