import { describe, expect, it } from '@jest/globals'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { operateOnAccount } from '../../../lib/organizations/operateOnAccount.ts'
import type { AuditEntry, OperatedAccountChange } from '../../../lib/organizations/ports.ts'
import type { AccountDeletion } from '../../../lib/users/ports.ts'

const userId = userIdSchema.parse('00000000-0000-4000-8000-000000000001')
const organizationId = organizationIdSchema.parse('00000000-0000-4000-8000-000000000002')
const now = Date.UTC(2026, 10, 22)

/** An account, and what operators changed of it. */
function world(isActive: boolean, deletion?: AccountDeletion) {
  const changed: OperatedAccountChange[] = []
  const entries: AuditEntry[] = []
  const flags = { isActive, isVerified: true, isSuperuser: false }
  const user = { id: userId, email: 'ada@example.com', username: 'ada', createdAt: now, ...flags }
  const account = { user, passwordHash: 'hash', securityRev: 3, keptFamily: undefined, formerEmails: [] }
  const organization = { id: organizationId, name: 'Acme', createdAt: '2026-11-22T00:00:00Z' }
  const deps = {
    operatedAccounts: {
      find: async () => ({
        account: { ...account, ...(deletion && { deletion }) },
        organizations: [{ organization, role: 'owner' as const }],
      }),
      change: async (_: unknown, change: OperatedAccountChange) => {
        changed.push(change)
        return 'changed' as const
      },
      takeDeletionBack: async (_: unknown, __: unknown, written: readonly AuditEntry[]) => {
        entries.push(...written)
        return 'changed' as const
      },
    },
    ids: { uuid: () => '00000000-0000-4000-8000-000000000003' },
    clock: { now: () => now, sync: async () => {} },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  }
  return { deps, changed, entries }
}

const commands = ['suspend', 'restore', 'sign-out'] as const

describe('An account that is being deleted', () => {
  const deletion: AccountDeletion = {
    ...{ requestedAt: now, eraseAfter: Date.UTC(2026, 11, 22), language: 'en' },
    organizations: [organizationId],
  }

  it('is had back by restore, with its organization, in their audit logs, unless its erasure has begun or in a dry run', async () => {
    const { deps, changed, entries } = world(false, deletion)
    const done = { kind: 'done', organizations: 1, deletionTakenBack: true }
    expect(await operateOnAccount(deps, 'restore', userId, { dryRun: true })).toEqual(done)
    expect(entries).toEqual([])
    expect(await operateOnAccount(deps, 'restore', userId, { dryRun: false })).toEqual(done)
    const actor = { type: 'operator', id: null }
    expect(entries).toMatchObject([
      { organizationId, actor, action: 'user.restored', target: userId },
      { organizationId, actor, action: 'organization.restored', target: organizationId },
    ])
    expect(changed).toEqual([])
    const begun = world(false, { ...deletion, erasingSince: now })
    const refused = await operateOnAccount(begun.deps, 'restore', userId, { dryRun: false })
    expect(refused).toEqual({ kind: 'refused', why: 'the erasure of the account has begun' })
    expect(begun.entries).toEqual([])
  })

  it.each(['suspend', 'sign-out'] as const)('is not changed by %s, which says who restores it', async (command) => {
    const { deps, changed } = world(false, deletion)
    const outcome = await operateOnAccount(deps, command, userId, { dryRun: false })
    expect(outcome).toEqual({ kind: 'refused', why: expect.stringContaining('erased on 2026-12-22') })
    expect(changed).toEqual([])
  })
})

describe('An account that is not being deleted', () => {
  it.each(commands)('is changed by %s', async (command) => {
    const { deps, changed } = world(command !== 'restore')
    const outcome = await operateOnAccount(deps, command, userId, { dryRun: false })
    expect(outcome).toEqual({ kind: 'done', organizations: 1 })
    expect(changed).toHaveLength(1)
  })
})
