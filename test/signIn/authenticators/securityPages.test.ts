import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { qrCode } from '../../../lib/adapters/qrcode/qrCode.ts'
import { createRecoveryCodes, verifyRecoveryCode } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import { completeFactorReset } from '../../../lib/authenticators/recovery/resetFactors.ts'
import type { SecurityForm, SecurityView } from '../../../lib/authenticators/security/securityStep.ts'
import { type ShowSecurityDeps, showSecurity } from '../../../lib/authenticators/security/showSecurity.ts'
import { type SubmitSecurityDeps, submitSecurity } from '../../../lib/authenticators/security/submitSecurity.ts'
import type { AuthenticationMethod } from '../../../lib/core/authentication.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import type { Role } from '../../../lib/organizations/ports.ts'
import { createActivityInMemory } from '../../support/activityInMemory.ts'
import { plainBranding } from '../../support/branding.ts'
import { challengeOf, type Person, place, registeredPasskey, useAuthenticators } from './authenticatorTestBed.ts'
import { softwareAuthenticator } from './softwareAuthenticator.ts'

const bed = useAuthenticators()
const DAY = 24 * 3_600_000
const acme: OrganizationId = organizationIdSchema.parse(randomUUID())
const organization = { id: acme, name: 'Acme', createdAt: '2026-11-20T08:00:00Z' }

let mails: Mail[] = []
let logged: string[] = []
let spent = 0
let ended: unknown[] = []
let roles = new Map<UserId, Role>()
const roleOf = (id: string) => [...roles].find(([userId]) => userId === id)?.[1]
beforeEach(() => {
  mails = []
  logged = []
  spent = 0
  ended = []
  roles = new Map()
})

const log = (...[message]: [message: string, ...fields: unknown[]]) => void logged.push(message)

function deps(): ShowSecurityDeps & SubmitSecurityDeps {
  return {
    ...bed.deps(),
    providers: { list: async () => [{ id: 'acme', name: 'Acme & Sons' }] },
    resets: bed.resets(),
    approvals: bed.approvals(),
    qrCode,
    mailBudgets: {
      spend: async (_, { now }) => {
        spent += 1
        return spent > 3 ? { fullAt: now + 3_600_000_000 } : 'spent'
      },
    },
    organizations: {
      read: async (id) => ({
        organization: id === acme ? organization : undefined,
        roleOf: (userId) => (id === acme ? roleOf(userId) : undefined),
      }),
      list: async ({ userId }) => [{ organization, role: roles.get(userId) ?? 'member' }],
      readMembers: async () => ({ members: [...roles].map(([userId, role]) => ({ userId, role })), invitations: [] }),
    },
    profiles: {
      find: async (ids) => {
        return new Map(ids.map((id) => [id, { username: 'name', email: `${id}@example.com` }]))
      },
    },
    mailer: { send: async (mail) => void mails.push(mail), discard: async () => {} },
    links: { issue: async () => {} },
    accountUrl: 'https://accounts.example.com',
    endEarlierSessions: async (caller, only) => void ended.push({ caller, only }),
    branding: plainBranding,
    activity: createActivityInMemory().activity,
    logger: { info: log, warn: log, error: log },
  }
}

/** A user whose sign-in is so many seconds old. */
async function visitorOf({ userId }: Person, age = 0, methods: AuthenticationMethod[] = ['pwd', 'otp', 'mfa']) {
  const account = await bed.deps().accounts.find(userId)
  if (account === undefined) throw new Error('no account')
  return {
    id: 'this session',
    user: account.user,
    securityRev: 0,
    authentication: { at: bed.clock.now() - age * 1000, methods },
  }
}
type Visitor = Awaited<ReturnType<typeof visitorOf>>

const show = (visitor: Visitor, view: SecurityView) => showSecurity(deps(), visitor, view)
const submit = (visitor: Visitor, form: SecurityForm) =>
  submitSecurity(deps(), { visitor, form, sourceIp: '203.0.113.9', language: 'en' })
const signIn = { step: 'sign_in' }

const changes: readonly SecurityForm[] = [
  { action: 'begin_passkey' },
  { action: 'finish_passkey', name: 'Key', response: '{}' },
  { action: 'rename_passkey', id: 'id', name: 'Key' },
  { action: 'remove_passkey', id: 'id' },
  { action: 'disconnect_provider', id: 'id' },
  { action: 'begin_totp' },
  { action: 'confirm_totp', code: '000000' },
  { action: 'remove_totp' },
  { action: 'create_codes' },
  { action: 'cancel_reset' },
  { action: 'end_sessions' },
  { action: 'approve_reset', organizationId: acme, userId: userIdSchema.parse(randomUUID()) },
]
describe('The pages of authenticators', () => {
  // [threat 116]
  it.each(changes)(
    'ask for a sign-in of the last 10 minutes, with the second factor of the account: $action',
    async (form) => {
      const ada = await bed.person()
      expect(await submit(await visitorOf(ada, 601), form)).toEqual(signIn)
      expect(await submit(await visitorOf(ada, 600, ['pwd']), form)).not.toEqual(signIn)
      await registeredPasskey(bed.deps(), ada)
      expect(await submit(await visitorOf(ada, 0, ['pwd']), form)).toEqual(signIn)
      expect(await submit(await visitorOf(ada), form)).not.toEqual(signIn)
    },
  )

  it('show the list in a session of any age, and what leads to a change after a recent sign-in only', async () => {
    const ada = await bed.person()
    await registeredPasskey(bed.deps(), ada)
    const old = await visitorOf(ada, 3600, ['pwd'])
    expect(await show(old, { view: 'overview' })).toMatchObject({ step: 'overview', email: ada.email })
    const views: SecurityView[] = [
      { view: 'passkey', id: 'id' },
      { view: 'provider', id: 'id' },
      { view: 'totp' },
      { view: 'codes' },
    ]
    for (const view of views) expect(await show(old, view)).toEqual(signIn)
  })

  // [catch securityVisitor.orSignIn]
  it('ask for a sign-in where the session has ended since it was read, and write nothing', async () => {
    const ada = await bed.person()
    const visitor = await visitorOf(ada)
    await bed.setAccount(ada, 'securityRev', 1)
    expect(await show(visitor, { view: 'overview' })).toEqual(signIn)
    expect(await submit(visitor, { action: 'begin_totp' })).toEqual(signIn)
    expect(await bed.deps().totpAuthenticators.findPending(ada.userId)).toBeUndefined()
  })

  // [catch submitSecurity.submit parsedResponse.parsedResponse]
  it.each(['no JSON', '{}', '{"id":"x"}'])('refuse what is no response of a passkey: %s', async (response) => {
    const ada = await bed.person()
    const step = await submit(await visitorOf(ada), { action: 'finish_passkey', name: 'Key', response })
    expect(step).toMatchObject({ step: 'overview', problem: 'passkey_refused', list: { passkeys: [] } })
    expect(mails).toEqual([])
  })

  // [threat 117]
  it('add a passkey to the user who began it, not to another, and say what was shown by it', async () => {
    const [ada, eve] = [await bed.person(), await bed.person()]
    const begun = await submit(await visitorOf(ada), { action: 'begin_passkey' })
    if (begun.step !== 'new_passkey') throw new Error(begun.step)
    const challenge = challengeOf(begun.options)
    const response = JSON.stringify(softwareAuthenticator(ada.userId, place).register({ challenge }))
    const form = { action: 'finish_passkey', name: 'Key', response } as const
    expect(await submit(await visitorOf(eve), form)).toMatchObject({ problem: 'passkey_refused' })
    const done = await submit(await visitorOf(ada, 0, ['pwd']), form)
    expect(done).toMatchObject({
      step: 'done',
      done: 'passkey_added',
      proven: { methods: expect.arrayContaining(['user']) },
    })
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[ada.email, 'A passkey was added to your account']])
  })

  it('end the sessions from before the first second factor, without which there is nothing to end', async () => {
    const ada = await bed.person()
    expect(await submit(await visitorOf(ada), { action: 'end_sessions' })).toMatchObject({
      problem: 'no_second_factor',
    })
    expect(ended).toEqual([])
    await registeredPasskey(bed.deps(), ada)
    const before = bed.clock.now()
    bed.wait(DAY)
    await registeredPasskey(bed.deps(), ada)
    expect(await submit(await visitorOf(ada), { action: 'end_sessions' })).toEqual({
      step: 'done',
      done: 'sessions_ended',
    })
    expect(ended).toEqual([
      {
        caller: expect.objectContaining({ userId: ada.userId, securityRev: 0 }),
        only: { before, except: 'this session' },
      },
    ])
  })

  // [threat 118]
  it('change nothing once the mails of the user are used up', async () => {
    const ada = await bed.person()
    await registeredPasskey(bed.deps(), ada)
    const visitor = await visitorOf(ada)
    for (const _ of [1, 2, 3])
      expect(await submit(visitor, { action: 'create_codes' })).toMatchObject({ step: 'new_codes' })
    const before = await bed.stored(ada)
    await expect(submit(visitor, { action: 'create_codes' })).rejects.toMatchObject({ code: 'too_many_attempts' })
    expect(await bed.stored(ada)).toEqual(before)
    expect(mails).toHaveLength(3)
  })
})

/** A request that its user has confirmed at this moment. */
async function confirmedReset({ userId }: Person) {
  const now = bed.clock.now()
  const reset = {
    id: randomUUID(),
    requestedAt: now,
    credentialsRev: 0,
    language: 'en',
    effectiveAt: now + 7 * DAY,
  } as const
  expect(await bed.resets().request(userId, reset, undefined)).toBe(true)
  return reset
}

describe('The list, where the removal of lost second factors was requested', () => {
  /** A user with factors of a month, who has signed in with one and then asked and confirmed. */
  async function requested() {
    const ada = await bed.person()
    await registeredPasskey(bed.deps(), ada)
    const codes = await createRecoveryCodes(bed.deps(), ada)
    bed.wait(30 * DAY)
    const visitor = await visitorOf(ada)
    await verifyRecoveryCode(bed.deps(), { userId: ada.userId, code: codes[0] ?? '' })
    bed.wait(1000)
    return { ada, visitor, codes, reset: await confirmedReset(ada) }
  }

  it('shows it, and lets a user with a second factor stop it there, which is mailed', async () => {
    const { ada, visitor, reset } = await requested()
    const { requestedAt, effectiveAt } = reset
    expect(await show(visitor, { view: 'overview' })).toMatchObject({ reset: { requestedAt, effectiveAt } })
    expect(await submit(await visitorOf(ada, 0, ['pwd']), { action: 'cancel_reset' })).toEqual(signIn)
    expect(await submit(visitor, { action: 'cancel_reset' })).toEqual({ step: 'done', done: 'reset_canceled' })
    expect(mails.at(-1)).toMatchObject({ to: ada.email, subject: 'Your second factors stay' })
    expect(await show(visitor, { view: 'overview' })).toMatchObject({ reset: undefined })
    bed.wait(7 * DAY)
    const removal = completeFactorReset(deps(), { user: visitor.user, securityRev: 0 })
    await expect(removal).rejects.toMatchObject({ code: 'reset_not_due' })
    expect((await bed.deps().authenticators.list(ada.userId)).passkeys).toHaveLength(1)
  })

  it('says so where there is none any more, and shows none that is void', async () => {
    const { ada, visitor, codes } = await requested()
    await submit(visitor, { action: 'cancel_reset' })
    const before = mails.length
    expect(await submit(visitor, { action: 'cancel_reset' })).toMatchObject({
      step: 'overview',
      problem: 'reset_not_found',
    })
    expect(mails).toHaveLength(before)
    await confirmedReset(ada)
    bed.wait(1)
    await verifyRecoveryCode(bed.deps(), { userId: ada.userId, code: codes[1] ?? '' })
    expect(await show(visitor, { view: 'overview' })).toMatchObject({ reset: undefined })
  })

  it('does not bring a void one back when the factor that voided it is removed', async () => {
    const { ada, visitor, codes } = await requested()
    bed.wait(1000)
    await verifyRecoveryCode(bed.deps(), { userId: ada.userId, code: codes[1] ?? '' })
    await registeredPasskey(bed.deps(), ada)
    const [old] = (await bed.deps().authenticators.list(ada.userId)).passkeys
    await submit(visitor, { action: 'remove_passkey', id: old?.id ?? '' })
    await submit(visitor, { action: 'create_codes' })
    expect(await show(visitor, { view: 'overview' })).toMatchObject({ reset: undefined })
  })

  it('does not let a sign-in with a factor of less than 14 days stop it, nor by removing the older ones', async () => {
    const { ada, reset } = await requested()
    const [old] = (await bed.deps().authenticators.list(ada.userId)).passkeys
    await registeredPasskey(bed.deps(), ada)
    bed.wait(60_000)
    const thief = await visitorOf(ada)
    expect(await submit(thief, { action: 'cancel_reset' })).toMatchObject({ problem: 'reset_not_stopped' })
    await submit(thief, { action: 'remove_passkey', id: old?.id ?? '' })
    expect(await show(thief, { view: 'overview' })).toMatchObject({ reset: { effectiveAt: reset.effectiveAt } })
  })
})

describe('The page on which an owner approves a reset', () => {
  /** A member who has asked for a reset, and an owner. */
  async function asked() {
    const [owner, ada] = [await bed.person(), await bed.person()]
    roles.set(owner.userId, 'owner').set(ada.userId, 'member')
    await bed.makeOwner(acme, owner)
    await registeredPasskey(bed.deps(), ada)
    bed.wait(1000)
    await confirmedReset(ada)
    return {
      owner: await visitorOf(owner),
      member: await visitorOf(ada),
      request: { organizationId: acme, userId: ada.userId },
    }
  }

  it('shows who asks, and approves once', async () => {
    const { owner, request } = await asked()
    const page = await show(owner, { view: 'reset', ...request })
    expect(page).toMatchObject({
      step: 'reset',
      organization,
      isApproved: false,
      member: { username: 'name' },
    })
    expect(await submit(owner, { action: 'approve_reset', ...request })).toEqual({
      step: 'done',
      done: 'reset_approved',
    })
    expect(await show(owner, { view: 'reset', ...request })).toMatchObject({ state: 'waiting', isApproved: true })
  })

  // [catch showSecurity.showReset] [threat 119]
  it('says the same of a request that is not there and to users who may not approve it', async () => {
    const { member, owner, request } = await asked()
    const stranger = await visitorOf(await bed.person())
    const other = { ...request, organizationId: organizationIdSchema.parse(randomUUID()) }
    const tries = [
      [member, request],
      [stranger, request],
      [owner, other],
    ] as const
    for (const [visitor, of] of tries) {
      expect(await show(visitor, { view: 'reset', ...of })).toEqual({ step: 'no_reset' })
      expect(await submit(visitor, { action: 'approve_reset', ...of })).toEqual({ step: 'no_reset' })
    }
  })
})
