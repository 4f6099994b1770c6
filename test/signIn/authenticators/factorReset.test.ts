import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import type { ApproveFactorResetDeps, RequestFactorResetDeps } from '../../../lib/authenticators/deps.ts'
import { approveFactorReset } from '../../../lib/authenticators/recovery/approveFactorReset.ts'
import { createRecoveryCodes, verifyRecoveryCode } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import {
  completeFactorReset,
  readFactorReset,
  requestFactorReset,
} from '../../../lib/authenticators/recovery/resetFactors.ts'
import { type OrganizationId, organizationIdSchema, type UserId } from '../../../lib/core/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { nameInMail } from '../../../lib/mail/nameInMail.ts'
import type { Role } from '../../../lib/organizations/ports.ts'
import type { SignedIn } from '../../../lib/users/ports.ts'
import { plainBranding } from '../../support/branding.ts'
import { type Person, registeredPasskey, useAuthenticators } from './authenticatorTestBed.ts'

const bed = useAuthenticators()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const language = 'en'
const acme: OrganizationId = organizationIdSchema.parse(randomUUID())

let mails: Mail[] = []
let mailFailure: Error | undefined
let logged: string[] = []
let roles = new Map<UserId, Role>()
const roleOf = (id: string) => [...roles].find(([userId]) => userId === id)?.[1]
beforeEach(() => {
  mails = []
  logged = []
  mailFailure = undefined
  roles = new Map()
})

const organization = { id: acme, name: 'Acme', createdAt: '2026-11-20T08:00:00Z' }
const log = (...[message]: [message: string, ...fields: unknown[]]) => void logged.push(message)

function deps(): ApproveFactorResetDeps & RequestFactorResetDeps {
  const rolesNow = () => [...roles].map(([userId, role]) => ({ userId, role }))
  return {
    ...bed.deps(),
    resets: bed.resets(),
    approvals: bed.approvals(),
    accountUrl: 'https://accounts.example.com',
    profiles: {
      find: async (userIds) => new Map(userIds.map((id) => [id, { username: id, email: `${id}@example.com` }])),
    },
    organizations: {
      read: async (id) => ({
        organization: id === acme ? organization : undefined,
        roleOf: (userId) => (id === acme ? roleOf(userId) : undefined),
      }),
      list: async ({ userId }) => {
        const role = roles.get(userId)
        return role ? [{ organization, role }] : []
      },
      readMembers: async () => ({ members: rolesNow(), invitations: [] }),
    },
    mailer: {
      send: async (mail) => {
        if (mailFailure) throw mailFailure
        mails.push(mail)
      },
      discard: async () => {},
    },
    branding: plainBranding,
    logger: { info: log, warn: log, error: log },
  }
}

async function asSignedIn({ userId }: Person): Promise<SignedIn> {
  const account = await bed.deps().accounts.find(userId)
  if (account === undefined) throw new Error('no account')
  return { ...account.user, securityRev: account.securityRev }
}

/** A user with a passkey and recovery codes, a minute ago. */
async function withFactors(): Promise<{ ada: Person; user: SignedIn; codes: string[] }> {
  const ada = await bed.person()
  await registeredPasskey(bed.deps(), ada)
  const codes = await createRecoveryCodes(bed.deps(), ada)
  bed.wait(60_000)
  return { ada, user: await asSignedIn(ada), codes }
}

const request = (user: SignedIn) => requestFactorReset(deps(), { user, language })
const complete = (user: SignedIn) => completeFactorReset(deps(), { user, language })
const stateOf = async (user: SignedIn) => (await readFactorReset(deps(), user)).state
const approve = (owner: Person, { userId }: Person, organizationId = acme) =>
  approveFactorReset(deps(), owner, { organizationId, userId, language })
const notDue = { code: 'reset_not_due' }

/** A user in an organization with an owner. */
async function inAcme() {
  const [owner, { ada, user, codes }] = [await bed.person(), await withFactors()]
  roles.set(owner.userId, 'owner').set(ada.userId, 'member')
  await bed.makeOwner(acme, owner)
  return { owner, ada, user, codes }
}

describe('A request to reset lost second factors', () => {
  it('waits 7 days where there is no owner but the user, with a mail at once and another when it is done', async () => {
    const { ada, user } = await withFactors()
    roles.set(ada.userId, 'owner')
    await request(user)
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, 'Removal of your second factors requested'],
    ])
    expect(mails[0]?.text).toContain('In 7 days')
    bed.wait(7 * DAY - 1)
    expect(await stateOf(user)).toBe('waiting')
    await expect(complete(user)).rejects.toMatchObject(notDue)
    bed.wait(1)
    expect(await stateOf(user)).toBe('due')
    await complete(user)
    expect(mails.at(-1)?.subject).toBe('Your second factors were removed')
    expect(await deps().authenticators.list(user.id)).toEqual({
      passkeys: [],
      totp: undefined,
      recoveryCodes: undefined,
    })
    expect((await bed.stored(ada)).map(({ sk }) => sk)).toEqual(['USER'])
    await expect(complete(user)).rejects.toMatchObject(notDue)
    await expect(registeredPasskey(bed.deps(), ada)).resolves.toBeDefined()
  })

  it('waits for an owner of an organization of the user, and 72 hours after', async () => {
    const { owner, ada, user } = await inAcme()
    await request(user)
    expect(mails[0]?.text).toContain('An owner of your organization has to approve it')
    bed.wait(30 * DAY)
    expect(await stateOf(user)).toBe('awaiting_approval')
    await expect(complete(user)).rejects.toMatchObject(notDue)
    const before = await bed.entries(acme)
    const { approval } = await approve(owner, ada)
    expect(approval).toEqual({ at: bed.clock.now(), by: owner.userId, organizationId: acme })
    const [entry, ...rest] = await bed.entries(acme)
    expect(rest).toEqual(before)
    const actor = { type: 'user', id: owner.userId }
    expect(entry).toMatchObject({ actor, action: 'member.factors_reset_approved', target: user.id, detail: {} })
    expect(mails.at(-1)).toMatchObject({ to: ada.email, subject: 'Removal of your second factors approved' })
    bed.wait(72 * HOUR - 1)
    await expect(complete(user)).rejects.toMatchObject(notDue)
    bed.wait(1)
    await complete(user)
    expect(mails).toHaveLength(4)
  })

  it('is mailed to every other owner once, with a link to the page that approves it and the name of the user', async () => {
    const { owner, ada, user } = await inAcme()
    const second = await bed.person()
    roles.set(second.userId, 'owner')
    await request(user)
    await request(user)
    const toOwners = mails.filter(({ to }) => to !== ada.email)
    expect(toOwners.map(({ to }) => to).toSorted()).toEqual([owner.email, second.email].toSorted())
    const page = `https://accounts.example.com/api/account/security?view=reset&organization_id=${acme}&user_id=${user.id}`
    for (const { text } of toOwners) expect(text.split('\n')).toContain(page)
    expect(toOwners[0]?.text).toContain(nameInMail(user.username))
  })

  it('is approved by nobody else: not the user, a member, or an owner of another organization', async () => {
    const { owner, ada, user } = await inAcme()
    const member = await bed.person()
    await request(user)
    roles.set(member.userId, 'billing_admin')
    await expect(approve(member, ada)).rejects.toMatchObject({ code: 'forbidden' })
    roles.set(ada.userId, 'owner')
    await expect(approve(ada, ada)).rejects.toMatchObject({ code: 'forbidden' })
    roles.delete(ada.userId)
    await expect(approve(owner, ada)).rejects.toMatchObject({ code: 'member_not_found' })
    roles.set(ada.userId, 'member')
    const other = organizationIdSchema.parse(randomUUID())
    await expect(approve(owner, ada, other)).rejects.toMatchObject({ code: 'organization_not_found' })
    expect(await stateOf(user)).toBe('awaiting_approval')
    await bed.setAccount(owner, 'securityRev', 1)
    await expect(approve(owner, ada)).rejects.toMatchObject({ code: 'invalid_token' })
    expect(await stateOf(user)).toBe('awaiting_approval')
  })

  it('is the same when it is repeated, as its approval is, without another mail', async () => {
    const { owner, ada, user } = await inAcme()
    const first = await request(user)
    bed.wait(HOUR)
    expect(await request(user)).toEqual(first)
    const approved = await approve(owner, ada)
    bed.wait(HOUR)
    expect(await approve(owner, ada)).toEqual(approved)
    expect(await request(user)).toEqual(approved)
    expect(mails).toHaveLength(3)
  })

  it('is void once a second factor was used, whatever follows, and may be made again', async () => {
    const { owner, ada, user, codes } = await inAcme()
    await request(user)
    await approve(owner, ada)
    await verifyRecoveryCode(bed.deps(), { userId: user.id, code: codes[0] ?? '' })
    expect(await stateOf(user)).toBe('none')
    bed.wait(72 * HOUR)
    await expect(complete(user)).rejects.toMatchObject(notDue)
    await expect(approve(owner, ada)).rejects.toMatchObject({ code: 'reset_not_found' })
    const again = await request(user)
    expect(again.effectiveAt).toBeUndefined()
    expect(await stateOf(user)).toBe('awaiting_approval')
  })

  it('ends when an authenticator is removed, which takes one to do', async () => {
    const { owner, ada, user } = await inAcme()
    await registeredPasskey(bed.deps(), ada)
    bed.wait(1)
    await request(user)
    await approve(owner, ada)
    const [passkey] = (await bed.deps().authenticators.list(user.id)).passkeys
    await bed.deps().passkeys.remove(ada, passkey?.id ?? '')
    bed.wait(72 * HOUR)
    await expect(complete(user)).rejects.toMatchObject(notDue)
  })

  it('is void once the password or the email address has changed', async () => {
    const { owner, ada, user } = await inAcme()
    await request(user)
    await approve(owner, ada)
    bed.wait(72 * HOUR)
    await bed.setAccount(ada, 'securityRev', 1)
    const now = await asSignedIn(ada)
    expect(await stateOf(now)).toBe('none')
    await expect(complete(now)).rejects.toMatchObject(notDue)
    // Also where the change happens between reading and writing.
    const { reset, authenticators } = await readFactorReset(deps(), user)
    expect(reset && (await bed.resets().complete(user.id, reset, authenticators))).toBe(false)
    expect((await bed.deps().authenticators.list(user.id)).passkeys).toHaveLength(1)
  })

  it('removes nothing where an authenticator was used or made after it was read', async () => {
    const { ada, user, codes } = await withFactors()
    await request(user)
    bed.wait(7 * DAY)
    const { reset, authenticators } = await readFactorReset(deps(), user)
    if (reset === undefined) throw new Error('no reset')
    await verifyRecoveryCode(bed.deps(), { userId: user.id, code: codes[0] ?? '' })
    expect(await bed.resets().complete(user.id, reset, authenticators)).toBe(false)
    const { authenticators: used } = await readFactorReset(deps(), user)
    await registeredPasskey(bed.deps(), ada)
    expect(await bed.resets().complete(user.id, reset, used)).toBe(false)
    expect((await bed.deps().authenticators.list(user.id)).passkeys).toHaveLength(2)
  })

  it('is not stored where its mail is not accepted, nor is an approval', async () => {
    const { owner, ada, user } = await inAcme()
    mailFailure = new Error('unavailable')
    await expect(request(user)).rejects.toThrow('unavailable')
    expect(await stateOf(user)).toBe('none')
    mailFailure = undefined
    await request(user)
    mailFailure = new Error('unavailable')
    await expect(approve(owner, ada)).rejects.toThrow('unavailable')
    expect(await stateOf(user)).toBe('awaiting_approval')
  })

  // [catch notify.notify]
  it('is done also where the last mail is not accepted, which is logged', async () => {
    const { user } = await withFactors()
    await request(user)
    bed.wait(7 * DAY)
    mailFailure = new Error('unavailable')
    await complete(user)
    expect(logged).toEqual(['Mail not sent'])
    expect((await bed.deps().authenticators.list(user.id)).passkeys).toEqual([])
  })

  it('is refused to a user without second factors', async () => {
    const user = await asSignedIn(await bed.person())
    await expect(request(user)).rejects.toMatchObject({ code: 'no_second_factor' })
    expect(mails).toEqual([])
  })

  it('is completed once of 20 at once, and stored once', async () => {
    const { user } = await withFactors()
    const requests = await Promise.allSettled(Array.from({ length: 20 }, () => request(user)))
    const ids = requests.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
    expect(new Set(ids).size).toBe(1)
    bed.wait(7 * DAY)
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => complete(user)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(mails.filter(({ subject }) => subject.startsWith('Your second'))).toHaveLength(1)
  })
})
