import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createAccountLinks } from '../../../lib/adapters/dynamodb/accountLinkStore.ts'
import { createDueResetSteps } from '../../../lib/adapters/dynamodb/factorResetStepStore.ts'
import { createMailBudgets } from '../../../lib/adapters/dynamodb/mailBudgetStore.ts'
import { createMailSettings } from '../../../lib/adapters/dynamodb/mailSettingsStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createProfiles } from '../../../lib/adapters/dynamodb/userStore.ts'
import type { ApproveFactorResetDeps, CompleteFactorResetDeps } from '../../../lib/authenticators/deps.ts'
import { removePasskey } from '../../../lib/authenticators/factors/managePasskeys.ts'
import { approveFactorReset } from '../../../lib/authenticators/recovery/approveFactorReset.ts'
import { createRecoveryCodes, verifyRecoveryCode } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import {
  cancelFactorReset,
  completeFactorReset,
  forgetVoidReset,
  readFactorReset,
} from '../../../lib/authenticators/recovery/resetFactors.ts'
import { takeResetSteps } from '../../../lib/authenticators/recovery/takeResetSteps.ts'
import { type OrganizationId, organizationIdSchema, type UserId } from '../../../lib/core/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { nameInMail } from '../../../lib/mail/nameInMail.ts'
import type { Role } from '../../../lib/organizations/ports.ts'
import { type ConfirmFactorResetDeps, confirmFactorReset } from '../../../lib/signIn/confirmFactorReset.ts'
import { mailConfirmation, requestFactorReset } from '../../../lib/signIn/requestFactorReset.ts'
import { texts } from '../../../lib/texts/texts.ts'
import type { Account } from '../../../lib/users/ports.ts'
import { createActivityInMemory } from '../../support/activityInMemory.ts'
import { plainBranding } from '../../support/branding.ts'
import { racers } from '../../support/race.ts'
import { type Person, registeredPasskey, useAuthenticators } from './authenticatorTestBed.ts'

const bed = useAuthenticators()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const language = 'en'
const [acme, other, third] = [1, 2, 3].map(() => organizationIdSchema.parse(randomUUID())) as [
  OrganizationId,
  OrganizationId,
  OrganizationId,
]

let mails: Mail[] = []
let mailFailure: Error | undefined
let logged: string[] = []
let activity = createActivityInMemory()
let places = new Map<OrganizationId, Map<UserId, Role>>()
beforeEach(async () => {
  const steps = createDueResetSteps(bed.documents(), tables.accounts.localName)
  for (const due of await steps.list(Date.UTC(2100, 0))) await steps.dismiss(due)
  mails = []
  logged = []
  activity = createActivityInMemory()
  mailFailure = undefined
  places = new Map()
})

const organizationOf = (id: OrganizationId) => ({ id, name: 'Acme', createdAt: '2026-11-20T08:00:00Z' })
const log = (...[message]: [message: string, ...fields: unknown[]]) => void logged.push(message)
const rolesIn = (id: OrganizationId) => places.get(id) ?? new Map<UserId, Role>()

function put(id: OrganizationId, { userId }: { userId: UserId }, role: Role | undefined) {
  const roles = rolesIn(id)
  if (role === undefined) roles.delete(userId)
  else roles.set(userId, role)
  places.set(id, roles)
}

function deps(): ApproveFactorResetDeps & ConfirmFactorResetDeps & CompleteFactorResetDeps {
  const [documents, table] = [bed.documents(), tables.accounts.localName]
  return {
    ...bed.deps(),
    accounts: bed.accounts(),
    resets: bed.resets(),
    approvals: bed.approvals(),
    links: createAccountLinks(documents, table),
    mailBudgets: createMailBudgets(documents, table),
    profiles: createProfiles(documents, table),
    accountUrl: 'https://accounts.example.com',
    organizations: {
      read: async (id) => ({
        organization: places.has(id) ? organizationOf(id) : undefined,
        roleOf: (principal) => [...rolesIn(id)].find(([userId]) => userId === principal)?.[1],
      }),
      list: async ({ userId }) =>
        [...places].flatMap(([id, roles]) => {
          const role = roles.get(userId)
          return role ? [{ organization: organizationOf(id), role }] : []
        }),
      readMembers: async (id) => ({
        members: [...rolesIn(id)].map(([userId, role]) => ({ userId, role })),
        invitations: [],
      }),
    },
    mailer: {
      send: async (mail) => {
        if (mailFailure) throw mailFailure
        mails.push(mail)
      },
      discard: async () => {},
    },
    branding: plainBranding,
    activity: activity.activity,
    logger: { info: log, warn: log, error: log },
  }
}

const stepDeps = () => ({ ...deps(), steps: createDueResetSteps(bed.documents(), tables.accounts.localName) })

async function accountOf({ userId }: { userId: UserId }): Promise<Account> {
  const account = await bed.accounts().find(userId)
  if (account === undefined) throw new Error('no account')
  return account
}

/** A user with a passkey and recovery codes, each for a month. */
async function withFactors(ageMs = 30 * DAY) {
  const ada = await bed.person()
  bed.wait(1000)
  await registeredPasskey(bed.deps(), ada)
  const codes = await createRecoveryCodes(bed.deps(), ada)
  bed.wait(ageMs)
  return { ada, codes }
}

const request = async (ada: Person) => requestFactorReset(deps(), { account: await accountOf(ada), language })
const complete = async (ada: Person) => completeFactorReset(deps(), await accountOf(ada))
const read = async (ada: Person) => readFactorReset(deps(), await accountOf(ada))
const stateOf = async (ada: Person) => (await read(ada)).state
const cancel = (ada: Person, signedInAt: number) => cancelFactorReset(deps(), ada, signedInAt)
const useCode = ({ userId }: Person, code = '') => verifyRecoveryCode(bed.deps(), { userId, code })
const approve = (owner: Person, { userId }: Person, organizationId = acme) =>
  approveFactorReset(deps(), owner, { organizationId, userId })
const notDue = { code: 'reset_not_due' }
const notFound = { code: 'reset_not_found' }
const tokenIn = (mail: Mail | undefined) =>
  /purpose=confirm_factor_reset&token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
const confirm = (mail = mails.at(-1)) => confirmFactorReset(deps(), tokenIn(mail))
const subjectsTo = ({ email }: Person) => mails.filter(({ to }) => to === email).map(({ subject }) => subject)

/** A user who has asked and confirmed. */
async function confirmed(met?: Awaited<ReturnType<typeof withFactors>>) {
  const found = met ?? (await withFactors())
  await request(found.ada)
  const [mail] = mails.filter(({ to }) => to === found.ada.email).slice(-1)
  return { ...found, ...(await confirm(mail)) }
}

/** A member of an organization with an owner, with factors. */
async function inAcme() {
  const [owner, met] = [await bed.person(), await withFactors()]
  put(acme, owner, 'owner')
  put(acme, met.ada, 'member')
  await bed.makeOwner(acme, owner)
  return { owner, ...met }
}

describe('A request to remove lost second factors', () => {
  // [threat 103]
  it('removes nothing, ever, until its user has confirmed it by the mailed link', async () => {
    const { owner, ada } = await inAcme()
    await request(ada)
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, 'Confirm the removal of your second factors'],
    ])
    expect(await stateOf(ada)).toBe('unconfirmed')
    await expect(approve(owner, ada)).rejects.toMatchObject(notFound)
    bed.wait(7 * DAY - 1)
    await expect(complete(ada)).rejects.toMatchObject(notDue)
    bed.wait(60 * DAY)
    await expect(complete(ada)).rejects.toMatchObject(notDue)
    expect(await stateOf(ada)).toBe('none')
    expect((await read(ada)).authenticators.passkeys).toHaveLength(1)
  })

  it('takes effect 7 days after the confirmation, and ends every session and grant', async () => {
    const { ada, effectiveAt } = await confirmed()
    expect(effectiveAt).toBe(bed.clock.now() + 7 * DAY)
    bed.wait(7 * DAY - 1)
    expect(await stateOf(ada)).toBe('waiting')
    await expect(complete(ada)).rejects.toMatchObject(notDue)
    bed.wait(1)
    expect(await stateOf(ada)).toBe('due')
    await complete(ada)
    expect(mails.at(-1)?.subject).toBe('Your second factors were removed')
    const { authenticators } = await read(ada)
    expect(authenticators).toEqual({ passkeys: [], totp: undefined, recoveryCodes: undefined })
    expect((await bed.stored(ada)).map(({ sk }) => sk)).toEqual(['USER'])
    expect(await accountOf(ada)).toMatchObject({ securityRev: 1 })
    await expect(bed.deps().accounts.findCaller(ada)).rejects.toMatchObject({ code: 'invalid_token' })
    await expect(complete(ada)).rejects.toMatchObject(notDue)
  })

  it('is confirmed once, within a day of its mail, by the newest request only', async () => {
    const { ada } = await withFactors()
    await request(ada)
    bed.wait(DAY)
    await expect(confirm()).rejects.toMatchObject({ code: 'link_invalid' })
    const { reset } = await read(ada)
    if (reset === undefined) throw new Error('no request')
    await mailConfirmation(deps(), await accountOf(ada), reset)
    const all = await Promise.allSettled([1, 2, 3].map(() => confirm()))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(confirm()).rejects.toMatchObject({ code: 'link_invalid' })
    expect((await read(ada)).reset?.effectiveAt).toBe(bed.clock.now() + 7 * DAY)
  })

  it('is not confirmed by the mail of an earlier request', async () => {
    const { ada } = await withFactors()
    await request(ada)
    const { reset } = await read(ada)
    await bed.resets().cancel(ada, reset?.id ?? '')
    await request(ada)
    await expect(confirm(mails[0])).rejects.toMatchObject({ code: 'link_invalid' })
    await expect(confirm(mails[1])).resolves.toMatchObject({ approvers: [] })
  })

  it('asks for the mail again 5 times at once, and then waits', async () => {
    const { ada } = await withFactors()
    await request(ada)
    const { reset } = await read(ada)
    if (reset === undefined) throw new Error('no request')
    const again = async () => mailConfirmation(deps(), await accountOf(ada), reset)
    for (let sent = 1; sent < 5; sent += 1) await again()
    await expect(again()).rejects.toMatchObject({ code: 'too_many_attempts' })
    expect(subjectsTo(ada)).toHaveLength(5)
  })

  it('is the same when it is repeated, without another mail, also of many at once', async () => {
    const { ada } = await withFactors()
    await Promise.allSettled(Array.from({ length: racers }, () => request(ada)))
    await request(ada)
    expect(mails).toHaveLength(1)
    await confirm()
    await request(ada)
    expect(mails).toHaveLength(1)
    bed.wait(7 * DAY)
    const all = await Promise.allSettled(Array.from({ length: racers }, () => complete(ada)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(mails.filter(({ subject }) => subject === 'Your second factors were removed')).toHaveLength(1)
  })

  it('can be asked to be mailed again where its mail is not accepted', async () => {
    const { ada } = await withFactors()
    mailFailure = new Error('unavailable')
    await expect(request(ada)).rejects.toThrow('unavailable')
    expect(await stateOf(ada)).toBe('unconfirmed')
  })

  // [catch notify.notify]
  it('is done also where the last mail is not accepted, which is logged', async () => {
    const { ada } = await confirmed()
    bed.wait(7 * DAY)
    mailFailure = new Error('unavailable')
    await complete(ada)
    expect(logged).toEqual(['Mail not sent'])
  })

  it('is refused to a user without second factors', async () => {
    await expect(request(await bed.person())).rejects.toMatchObject({ code: 'no_second_factor' })
    expect(mails).toEqual([])
  })
})

describe('The approval of a removal', () => {
  it('by an owner shortens the wait to a day, with an entry and a mail', async () => {
    const { owner, ada } = await inAcme()
    const { effectiveAt } = await confirmed({ ada, codes: [] })
    bed.wait(DAY)
    const before = await bed.entries(acme)
    const approved = await approve(owner, ada)
    expect(approved.approval).toEqual({ at: bed.clock.now(), by: owner.userId, organizationId: acme })
    expect(approved.effectiveAt).toBe(bed.clock.now() + DAY)
    expect(effectiveAt).toBeGreaterThan(bed.clock.now() + DAY)
    const [entry, ...rest] = await bed.entries(acme)
    expect(rest).toEqual(before)
    const actor = { type: 'user', id: owner.userId }
    expect(entry).toMatchObject({ actor, action: 'member.factors_reset_approved', target: ada.userId, detail: {} })
    expect(mails.at(-1)).toMatchObject({ to: ada.email, subject: 'Removal of your second factors approved' })
    expect(await approve(owner, ada)).toEqual(approved)
    bed.wait(DAY - 1)
    await expect(complete(ada)).rejects.toMatchObject(notDue)
    bed.wait(1)
    await complete(ada)
  })

  // [threat 103.2]
  it('never lengthens the wait, nor does its absence', async () => {
    const { owner, ada } = await inAcme()
    await confirmed({ ada, codes: [] })
    bed.wait(7 * DAY - HOUR)
    const { effectiveAt } = await approve(owner, ada)
    expect(effectiveAt).toBe(bed.clock.now() + HOUR)
    bed.wait(HOUR)
    await complete(ada)
    const silent = await inAcme()
    await confirmed(silent)
    bed.wait(7 * DAY)
    await complete(silent.ada)
  })

  // [threat 103.2]
  it('is asked of each active owner by mail once it is confirmed, with a link that holds no secret', async () => {
    const { owner, ada } = await inAcme()
    const [second, left] = [await bed.person(), await bed.person()]
    put(acme, second, 'owner')
    put(acme, left, 'owner')
    await bed.setAccount(left, 'isActive', false)
    await request(ada)
    expect(mails.map(({ to }) => to)).toEqual([ada.email])
    const { approvers } = await confirm()
    expect(approvers.map(({ owners }) => owners.map(({ id }) => id))).toEqual([[owner.userId, second.userId]])
    const toOwners = mails.filter(({ to }) => to !== ada.email)
    expect(toOwners.map(({ to }) => to).toSorted()).toEqual([owner.email, second.email].toSorted())
    const page = `https://accounts.example.com/api/account/security?view=reset&organization_id=${acme}&user_id=${ada.userId}`
    for (const { text } of toOwners) expect(text.split('\n')).toContain(page)
    expect(toOwners[0]?.text).toContain(nameInMail((await accountOf(ada)).user.username))
  })

  it('is asked of each owner in the language of their own last sign-in', async () => {
    const { owner, ada } = await inAcme()
    const second = await bed.person()
    put(acme, second, 'owner')
    await createMailSettings(bed.documents(), tables.accounts.localName).noteLanguage(owner.userId, 'de')
    await confirmed({ ada, codes: [] })
    const subjects = mails.flatMap(({ to, subject }) => (to === ada.email ? [] : [[to, subject]]))
    expect(Object.fromEntries(subjects)).toEqual({
      [owner.email]: texts.de.mails.factorResetApprovalAsked.subject,
      [second.email]: texts.en.mails.factorResetApprovalAsked.subject,
    })
  })

  // [threat 103.4 30.8b]
  it('is asked of 8 owners a day at most', async () => {
    const { ada } = await inAcme()
    for (let n = 0; n < 12; n += 1) put(acme, await bed.person(), 'owner')
    await confirmed({ ada, codes: [] })
    expect(mails.filter(({ to }) => to !== ada.email)).toHaveLength(8)
  })

  // [catch mailBudget.notifyOthers]
  it('is not asked where its mails cannot be counted, which is logged, and the wait begins', async () => {
    const { ada } = await inAcme()
    await request(ada)
    const failing = { spend: () => Promise.reject(new Error('unavailable')) }
    await confirmFactorReset({ ...deps(), mailBudgets: failing }, tokenIn(mails.at(-1)))
    expect(logged).toEqual(['Mail not sent'])
    expect(await stateOf(ada)).toBe('waiting')
  })

  it('is given by no other person: not the user, a member, a stranger, or a former owner', async () => {
    const { owner, ada } = await inAcme()
    const member = await bed.person()
    await confirmed({ ada, codes: [] })
    put(acme, member, 'billing_admin')
    await expect(approve(member, ada)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(approve(await bed.person(), ada)).rejects.toMatchObject({ code: 'organization_not_found' })
    put(acme, ada, 'owner')
    await expect(approve(ada, ada)).rejects.toMatchObject({ code: 'forbidden' })
    put(acme, ada, undefined)
    await expect(approve(owner, ada)).rejects.toMatchObject({ code: 'member_not_found' })
    put(acme, ada, 'member')
    await expect(approve(owner, ada, other)).rejects.toMatchObject({ code: 'organization_not_found' })
    await bed.setAccount(owner, 'securityRev', 1)
    await expect(approve(owner, ada)).rejects.toMatchObject({ code: 'invalid_token' })
    expect((await read(ada)).reset?.approval).toBeUndefined()
  })

  // [threat 103.3]
  it('by an owner of one organization shortens nothing for a user who owns another, who is not asked either', async () => {
    const { owner, ada } = await inAcme()
    put(other, ada, 'owner')
    const { approvers } = await confirmed({ ada, codes: [] })
    expect(approvers).toEqual([])
    expect(mails.filter(({ to }) => to !== ada.email)).toEqual([])
    await expect(approve(owner, ada)).rejects.toMatchObject(notFound)
    // Where the user owns what the approver owns, and is a member elsewhere, only the owners there may.
    put(other, ada, 'member')
    put(acme, ada, 'owner')
    put(third, ada, 'member')
    await expect(approve(owner, ada)).resolves.toMatchObject({ effectiveAt: bed.clock.now() + DAY })
  })

  it('is not stored where its mail is not accepted', async () => {
    const { owner, ada } = await inAcme()
    await confirmed({ ada, codes: [] })
    mailFailure = new Error('unavailable')
    await expect(approve(owner, ada)).rejects.toThrow('unavailable')
    expect((await read(ada)).reset?.approval).toBeUndefined()
  })
})

describe('A removal that is under way', () => {
  it('is void once a factor of at least 14 days is used, whatever follows, and may be asked for again', async () => {
    const { ada, codes } = await confirmed()
    await useCode(ada, codes[0])
    expect(await stateOf(ada)).toBe('none')
    bed.wait(7 * DAY)
    await expect(complete(ada)).rejects.toMatchObject(notDue)
    await request(ada)
    expect(await stateOf(ada)).toBe('unconfirmed')
  })

  // [threat 103.1]
  it('is not void by a factor that was younger than 14 days at the request, whenever it is used', async () => {
    const { ada, codes } = await withFactors(14 * DAY - 1)
    await confirmed({ ada, codes })
    await useCode(ada, codes[0])
    bed.wait(DAY)
    await registeredPasskey(bed.deps(), ada)
    await useCode(ada, codes[1])
    expect(await stateOf(ada)).toBe('waiting')
    bed.wait(6 * DAY)
    await complete(ada)
    expect((await read(ada)).authenticators.passkeys).toEqual([])
  })

  // [threat 103.1]
  it('is stopped by a sign-in with a factor of at least 14 days only', async () => {
    const { ada, codes } = await withFactors()
    const signedInAt = bed.clock.now()
    await useCode(ada, codes[0])
    bed.wait(60_000)
    await confirmed({ ada, codes })
    // A session of before, with a factor that is old enough.
    await cancel(ada, signedInAt)
    await expect(cancel(ada, signedInAt)).rejects.toMatchObject(notFound)
    await confirmed({ ada, codes })
    bed.wait(60_000)
    const later = bed.clock.now()
    await registeredPasskey(bed.deps(), ada)
    await expect(cancel(ada, later)).rejects.toMatchObject({ code: 'reset_not_stopped' })
    expect(await stateOf(ada)).toBe('waiting')
  })

  // [threat 103.1]
  it('goes on when an authenticator is removed, unless it was void: then it stays so', async () => {
    const { ada, codes } = await confirmed()
    const planted = await registeredPasskey(bed.deps(), ada)
    await forgetVoidReset(deps(), ada)
    await removePasskey(bed.deps(), ada, planted.id)
    expect(await stateOf(ada)).toBe('waiting')
    await useCode(ada, codes[0])
    await forgetVoidReset(deps(), ada)
    expect((await read(ada)).reset).toBeUndefined()
  })

  // [threat 103.1]
  it('goes on when the user is signed out everywhere: a thief’s session could do that', async () => {
    const { ada } = await confirmed()
    await bed.accounts().endGrants(await accountOf(ada))
    bed.wait(7 * DAY)
    await complete(ada)
    expect(await accountOf(ada)).toMatchObject({ securityRev: 2 })
  })

  // [threat 103.1]
  it('is not void by a factor that was added under the previous password, however old it is', async () => {
    const { ada, codes } = await withFactors()
    const to = { passwordHash: 'of a reset', keptFamily: undefined, setAt: bed.clock.now() }
    expect(await bed.accounts().changePassword(await accountOf(ada), to)).toBe('changed')
    expect((await accountOf(ada)).previousPasswordSetAt).toBe((await accountOf(ada)).user.createdAt)
    bed.wait(60_000)
    await confirmed({ ada, codes })
    await useCode(ada, codes[0])
    expect(await stateOf(ada)).toBe('waiting')
    // Of the next password, the one that was just set is the previous: what was added before that is trusted.
    const next = { ...to, setAt: bed.clock.now() }
    await bed.accounts().changePassword(await accountOf(ada), next)
    bed.wait(60_000)
    await confirmed({ ada, codes })
    await useCode(ada, codes[1])
    expect(await stateOf(ada)).toBe('none')
  })

  it('is void once the password or the email address has changed', async () => {
    const { ada } = await confirmed()
    const before = await read(ada)
    bed.wait(7 * DAY)
    await bed.accounts().changePassword(await accountOf(ada), { passwordHash: 'new', keptFamily: undefined })
    expect(await stateOf(ada)).toBe('none')
    await expect(complete(ada)).rejects.toMatchObject(notDue)
    // Also where the change happens between reading and writing.
    const { reset, authenticators } = before
    expect(reset && (await bed.resets().complete(await accountOf(ada), reset, authenticators))).toBe(false)
    expect((await read(ada)).authenticators.passkeys).toHaveLength(1)
  })

  it('removes nothing where an authenticator was used or made after it was read', async () => {
    const { ada, codes } = await confirmed()
    bed.wait(7 * DAY)
    const { reset, authenticators } = await read(ada)
    if (reset === undefined) throw new Error('no request')
    await useCode(ada, codes[0])
    const account = await accountOf(ada)
    expect(await bed.resets().complete(account, reset, authenticators)).toBe(false)
    const { authenticators: used } = await read(ada)
    await registeredPasskey(bed.deps(), ada)
    expect(await bed.resets().complete(account, reset, used)).toBe(false)
    expect((await read(ada)).authenticators.passkeys).toHaveLength(2)
  })

  it('mails at half time and a day before, and takes effect by itself, each once', async () => {
    const { ada } = await confirmed()
    const subject = 'Your second factors will be removed'
    const run = () => takeResetSteps(stepDeps(), Number.POSITIVE_INFINITY)
    bed.wait(3.5 * DAY - 1)
    expect(await run()).toEqual({ reminded: 0, erased: 0, failed: 0 })
    bed.wait(1)
    expect(await run()).toEqual({ reminded: 1, erased: 0, failed: 0 })
    bed.wait(2.5 * DAY)
    expect(await run()).toEqual({ reminded: 1, erased: 0, failed: 0 })
    expect(subjectsTo(ada).slice(1)).toEqual([subject, subject])
    expect(mails.at(-1)?.text).toContain('purpose=forgot_password')
    bed.wait(DAY)
    expect(await run()).toEqual({ reminded: 0, erased: 1, failed: 0 })
    expect(await run()).toEqual({ reminded: 0, erased: 0, failed: 0 })
    expect((await read(ada)).authenticators.passkeys).toEqual([])
    expect(await accountOf(ada)).toMatchObject({ securityRev: 1 })
    expect(activity.recorded).toEqual([{ userId: ada.userId, type: 'factor_removed' }])
  })

  it('mails nothing at the half of a wait that an approval has shortened', async () => {
    const { owner, ada } = await inAcme()
    await confirmed({ ada, codes: [] })
    bed.wait(3.25 * DAY)
    await approve(owner, ada)
    bed.wait(0.25 * DAY)
    expect(await takeResetSteps(stepDeps(), Number.POSITIVE_INFINITY)).toEqual({ reminded: 0, erased: 0, failed: 0 })
    bed.wait(0.25 * DAY)
    expect(await takeResetSteps(stepDeps(), Number.POSITIVE_INFINITY)).toEqual({ reminded: 1, erased: 0, failed: 0 })
  })

  it('takes no step that is outdated, void, or of an account that is switched off', async () => {
    const { owner, ada } = await inAcme()
    await confirmed({ ada, codes: [] })
    await approve(owner, ada)
    const other = await confirmed()
    await useCode(other.ada, other.codes[0])
    const off = await confirmed()
    await bed.setAccount(off.ada, 'isActive', false)
    bed.wait(30 * DAY)
    mails = []
    expect(await takeResetSteps(stepDeps(), Number.POSITIVE_INFINITY)).toEqual({ reminded: 0, erased: 1, failed: 0 })
    expect(mails.map(({ to }) => to)).toEqual([ada.email])
    expect(await stepDeps().steps.list(bed.clock.now())).toEqual([])
  })

  // [catch takeResetSteps.remove]
  it('takes all other steps where one fails, which is logged and due again', async () => {
    const [one, two] = [await confirmed(), await confirmed()]
    bed.wait(7 * DAY)
    const [resets, steps] = [bed.resets(), stepDeps().steps]
    for (const due of await steps.list(bed.clock.now())) if (due.step !== 'effect') await steps.dismiss(due)
    const complete: typeof resets.complete = async (account, ...rest) => {
      if (account.user.id === one.ada.userId) throw new Error('unavailable')
      return resets.complete(account, ...rest)
    }
    const failing = { ...stepDeps(), resets: { ...resets, complete } }
    expect(await takeResetSteps(failing, Number.POSITIVE_INFINITY)).toEqual({ reminded: 0, erased: 1, failed: 1 })
    expect(logged).toEqual(['Second factors not removed'])
    expect((await read(two.ada)).authenticators.passkeys).toEqual([])
    // The user has completed it a moment before.
    const late = { ...stepDeps(), resets: { ...resets, complete: async () => false } }
    expect(await takeResetSteps(late, Number.POSITIVE_INFINITY)).toEqual({ reminded: 0, erased: 0, failed: 0 })
    expect(await steps.list(bed.clock.now())).toEqual([])
  })

  it('has its steps stored until they are due: half time, a day before, and the effect', async () => {
    const { owner, ada } = await inAcme()
    await confirmed({ ada, codes: [] })
    const steps = createDueResetSteps(bed.documents(), tables.accounts.localName)
    const now = bed.clock.now()
    const due = async (after: number) =>
      (await steps.list(now + after)).flatMap(({ step, at, userId }) =>
        userId === ada.userId ? [[step, (at - now) / DAY]] : [],
      )
    expect(await due(3.5 * DAY - 1)).toEqual([])
    expect(await due(7 * DAY)).toEqual([
      ['half_time', 3.5],
      ['day_before', 6],
      ['effect', 7],
    ])
    for (const step of await steps.list(now + 30 * DAY)) await steps.dismiss(step)
    await approve(owner, ada)
    expect(await due(30 * DAY)).toEqual([
      ['half_time', 0.5],
      ['effect', 1],
    ])
  })
})
