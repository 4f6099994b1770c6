import { beforeEach, describe, expect, it } from '@jest/globals'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { Language } from '../../../lib/core/language.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { notifyOfJoin } from '../../../lib/organizations/invitations/acceptInvitation.ts'
import { changeMemberRole } from '../../../lib/organizations/members/changeMemberRole.ts'
import { leaveOrganization } from '../../../lib/organizations/members/leaveOrganization.ts'
import { removeMember } from '../../../lib/organizations/members/removeMember.ts'
import { transferOrganization } from '../../../lib/organizations/members/transferOrganization.ts'
import { notifyOfChange } from '../../../lib/organizations/notifyOfChange.ts'
import type { Role } from '../../../lib/organizations/ports.ts'
import { plainBranding } from '../../support/branding.ts'
import { createMailBudgetsInMemory } from '../../support/mailBudgetsInMemory.ts'

const userId = (n: number) => userIdSchema.parse(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
const organizationId = organizationIdSchema.parse('00000000-0000-4000-8000-00000000000a')
const acme = { id: organizationId, name: 'Acme', createdAt: '2026-11-20T08:00:00Z' }
const [ada, ben, cleo, dan] = [userId(1), userId(2), userId(3), userId(4)]
const names = new Map<UserId, { username: string; email: string; language?: Language }>()
const DAY = 86_400_000

let roles = new Map<UserId, Role>()
let mails: Mail[] = []
let logged: string[] = []
let now = 0
let isStoreUnavailable = false
let budgets = createMailBudgetsInMemory()

beforeEach(() => {
  names.clear()
  for (const [id, username] of [
    [ada, 'ada'],
    [ben, 'ben'],
    [cleo, 'cleo'],
    [dan, 'dan'],
  ] as const)
    names.set(id, { username, email: `${username}@example.com` })
  roles = new Map([
    [ada, 'owner'],
    [ben, 'owner'],
    [cleo, 'owner'],
    [dan, 'member'],
  ])
  mails = []
  logged = []
  isStoreUnavailable = false
  budgets = createMailBudgetsInMemory()
})

const log = (...[message]: [message: string, ...fields: unknown[]]) => void logged.push(message)

function deps() {
  return {
    organizations: {
      read: async () => ({ organization: acme, roleOf: (id: string) => [...roles].find(([own]) => own === id)?.[1] }),
      readMembers: async () => {
        if (isStoreUnavailable) throw new Error('unavailable')
        return { members: [...roles].map(([id, role]) => ({ userId: id, role })), invitations: [] }
      },
      async changeRoles(_: unknown, { changes }: { changes: readonly { userId: UserId; to: Role | null }[] }) {
        for (const change of changes) {
          if (change.to === null) roles.delete(change.userId)
          else roles.set(change.userId, change.to)
        }
        return 'written' as const
      },
    },
    profiles: {
      find: async (ids: readonly UserId[]) =>
        new Map(
          ids.flatMap((id) => (names.has(id) ? [[id, names.get(id) ?? { username: '', email: '' }] as const] : [])),
        ),
    },
    mailBudgets: budgets,
    mailer: { send: async (mail: Mail) => void mails.push(mail) },
    logger: { info: log, error: log },
    branding: plainBranding,
    ids: { uuid: () => '00000000-0000-4000-8000-00000000000b' },
    clock: { now: () => now, sync: async () => {} },
  }
}

const by = (caller: UserId) => ({ organizationId, caller: { userId: caller, securityRev: 0 } })
const sent = () => mails.map(({ to, subject }) => [to.split('@')[0], subject])
const changed = 'The owners or members of your organization have changed'

describe('A change of power is mailed to the member and the other owners, and not to who makes it:', () => {
  // [threat 30.9]
  it('a new owner', async () => {
    await changeMemberRole(deps(), { ...by(ada), memberId: dan, role: 'owner' })
    expect(sent()).toEqual([
      ['dan', 'You are now an owner of an organization'],
      ['ben', changed],
      ['cleo', changed],
    ])
    expect(mails[0]?.text).toContain('ada made you an owner of the organization “Acme”')
    expect(mails[1]?.text).toContain('ada made dan an owner of the organization “Acme”')
  })

  // [threat 30.9]
  it('a deposed owner', async () => {
    await changeMemberRole(deps(), { ...by(ada), memberId: ben, role: 'member' })
    expect(sent()).toEqual([
      ['ben', 'You are no longer an owner of an organization'],
      ['cleo', changed],
    ])
  })

  // [threat 30.9]
  it('a removed owner, who learns it although no owner any more', async () => {
    await removeMember(deps(), { ...by(ada), memberId: ben })
    expect(sent()).toEqual([
      ['ben', 'You were removed from an organization'],
      ['cleo', changed],
    ])
  })

  it('a transfer', async () => {
    await transferOrganization(deps(), { ...by(ada), memberId: dan })
    expect(sent()).toEqual([
      ['dan', 'You are now an owner of an organization'],
      ['ben', changed],
      ['cleo', changed],
    ])
    expect(mails[1]?.text).toContain('ada transferred the ownership of the organization “Acme” to dan')
  })

  it('an owner who leaves', async () => {
    await leaveOrganization(deps(), by(ada))
    expect(sent()).toEqual([
      ['ben', changed],
      ['cleo', changed],
    ])
  })

  it('a member who joins as an owner, by the inviter’s budget', async () => {
    roles.set(dan, 'owner')
    const joined = { role: 'owner' as const, organization: acme, member: dan, invitedBy: ada }
    await notifyOfJoin(deps(), joined)
    expect(sent()).toEqual([
      ['ben', changed],
      ['cleo', changed],
    ])
    expect(mails[0]?.text).toContain('dan accepted an invitation and is now an owner')
    await notifyOfJoin(deps(), { ...joined, role: 'member' })
    expect(mails).toHaveLength(2)
  })

  it('and nothing else', async () => {
    await changeMemberRole(deps(), { ...by(ada), memberId: dan, role: 'billing_admin' })
    await changeMemberRole(deps(), { ...by(ada), memberId: ben, role: 'owner' })
    await leaveOrganization(deps(), by(dan))
    expect(sent()).toEqual([])
  })
})

describe('The mails', () => {
  it('are in the language of each recipient, else in that of who made the change', async () => {
    names.set(ben, { username: 'ben', email: 'ben@example.com', language: 'de' })
    await changeMemberRole(deps(), { ...by(ada), memberId: dan, role: 'owner' })
    expect(sent()).toContainEqual(['ben', 'Eigentümer oder Mitglieder Ihrer Organisation haben sich geändert'])
    expect(sent()).toContainEqual(['cleo', changed])
    names.set(ada, { username: 'ada', email: 'ada@example.com', language: 'de' })
    await changeMemberRole(deps(), { ...by(ada), memberId: dan, role: 'member' })
    expect(sent()).toContainEqual(['dan', 'Sie besitzen eine Organisation nicht mehr'])
  })

  // [threat 30.8b]
  it('are 8 at once for each user who causes them, the member first, and 8 more a day later', async () => {
    for (let n = 5; n < 30; n += 1) {
      names.set(userId(n), { username: `u${n}`, email: `u${n}@example.com` })
      roles.set(userId(n), 'owner')
    }
    await removeMember(deps(), { ...by(ada), memberId: dan })
    expect(mails).toHaveLength(8)
    expect(mails[0]?.to).toBe('dan@example.com')
    expect(logged).toEqual(['Mails to others not sent'])
    await notifyOfChange(deps(), { organization: acme, actor: ada, kind: 'created', apiClient: 'CI' })
    expect(mails).toHaveLength(8)
    await notifyOfChange(deps(), { organization: acme, actor: ben, kind: 'created', apiClient: 'CI' })
    expect(mails).toHaveLength(16)
    now += DAY + 3000
    await notifyOfChange(deps(), { organization: acme, actor: ada, kind: 'created', apiClient: 'CI' })
    expect(mails).toHaveLength(24)
  })

  it('about an API client name it and who changed it', async () => {
    for (const kind of ['created', 'rotated', 'deleted'] as const)
      await notifyOfChange(deps(), { organization: acme, actor: ada, kind, apiClient: 'evil.example' })
    expect(mails.map(({ to }) => to.split('@')[0])).toEqual(['ben', 'cleo', 'ben', 'cleo', 'ben', 'cleo'])
    for (const { text } of mails) {
      expect(text).toMatch(/^ada (created|gave|deleted) the API client “evil\.\u2060example”/m)
    }
  })

  // [catch mailBudget.notifyOthers]
  it('that cannot be written are logged, and the change is made', async () => {
    isStoreUnavailable = true
    await removeMember(deps(), { ...by(ada), memberId: dan })
    expect(roles.has(dan)).toBe(false)
    expect([mails, logged]).toEqual([[], ['Mail not sent']])
  })
})
