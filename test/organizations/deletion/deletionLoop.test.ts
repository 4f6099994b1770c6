import { describe, expect, it } from '@jest/globals'
import type { Deletion } from '../../../lib/core/deletion.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { deleteOrganization } from '../../../lib/organizations/deletion/deleteOrganization.ts'
import { organizationErased } from '../../../lib/organizations/deletion/mails.ts'
import { notifyOwners } from '../../../lib/organizations/deletion/notifyOwners.ts'
import { restoreOrganization } from '../../../lib/organizations/deletion/restoreOrganization.ts'
import { plainBranding } from '../../support/branding.ts'
import { createMailBudgetsInMemory } from '../../support/mailBudgetsInMemory.ts'

const id = organizationIdSchema.parse('00000000-0000-4000-8000-00000000000a')
const [thief, owner] = ['1', '2'].map((n) => userIdSchema.parse(`00000000-0000-4000-8000-00000000000${n}`))

/** An organization with two owners, and all mails that its deletions send. */
function scene() {
  let deletion: Deletion | undefined
  const mails: Mail[] = []
  const organization = () => ({ id, name: 'Acme', createdAt: '2026-11-20T08:00:00Z', ...(deletion && { deletion }) })
  const deps = {
    organizations: { read: async () => ({ organization: organization(), roleOf: () => 'owner' as const }) },
    deletions: {
      listHeld: async () => [],
      schedule: async (_: unknown, scheduled: { deletion: Deletion }) => {
        deletion = scheduled.deletion
        return 'written' as const
      },
      restore: async () => {
        deletion = undefined
        return 'written' as const
      },
      listMembers: async () =>
        [thief, owner].flatMap((userId) => (userId ? [{ userId, role: 'owner' as const, tokenDigests: [] }] : [])),
    },
    debts: { listOwed: async () => [] },
    profiles: {
      find: async (ids: readonly UserId[]) =>
        new Map(ids.map((userId) => [userId, { username: userId, email: `${userId}@example.com` }])),
    },
    mailBudgets: createMailBudgetsInMemory(),
    mailer: { send: async (mail: Mail) => void mails.push(mail), discard: async () => {} },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    branding: plainBranding,
    ids: { uuid: () => '00000000-0000-4000-8000-00000000000b' },
    clock: { now: () => 0, sync: async () => {} },
  }
  return { deps, mails, organization }
}

describe('The mails about a deletion', () => {
  // [threat 30.8b]
  it('are 8 for a user who deletes and restores an organization without end', async () => {
    const { deps, mails } = scene()
    const request = { organizationId: id, caller: { userId: thief as UserId, securityRev: 0 }, language: 'en' as const }
    for (let n = 0; n < 25; n += 1) {
      await deleteOrganization(deps, request)
      await restoreOrganization(deps, request)
    }
    expect(mails).toHaveLength(8)
  })

  it('that a schedule sends, once for each deletion, need no budget', async () => {
    const { deps, mails, organization } = scene()
    const deletion = { requestedAt: 0, eraseAfter: 1, language: 'en' as const }
    for (let n = 0; n < 10; n += 1)
      await notifyOwners(deps, { ...organization(), deletion }, { by: 'system', mailOf: organizationErased })
    expect(mails).toHaveLength(20)
  })
})
