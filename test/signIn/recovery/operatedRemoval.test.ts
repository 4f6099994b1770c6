import { describe, expect, it } from '@jest/globals'
import { type OperatedRemoval, operateOnFactors } from '../../../lib/authenticators/recovery/operateOnFactors.ts'
import { takeResetSteps } from '../../../lib/authenticators/recovery/takeResetSteps.ts'
import { toRfc3339 } from '../../../lib/core/clock.ts'
import { lostFactor } from '../../../lib/signIn/lostFactor.ts'
import { changePassword } from '../../../lib/users/password/changePassword.ts'
import { forgotPassword } from '../../../lib/users/password/resetPassword.ts'
import { noFactors, openBrowser } from './browser.ts'
import { followLink, linkIn } from './mailbox.ts'
import { createService, DAY, HOUR, MINUTE } from './service.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'the owner’s phrase of old'
const NEW = 'the owner’s new phrase'
const SCHEDULED = 'Our support will remove your second factors'
const REMOVED = 'Your second factors were removed'

/** A user with a passkey of this age who owns two organizations, and the operator's command. */
async function scene(ageMs = 30 * DAY) {
  const service = createService()
  const { deps } = service
  const userId = await service.register(EMAIL, PASSWORD)
  const organizations = [service.found(userId), service.found(userId)]
  const [home, own] = [openBrowser(service), noFactors()]
  await home.signIn(EMAIL, PASSWORD)
  await home.addPasskey(own)
  service.wait(ageMs)
  const account = async () => (await deps.accounts.find(userId)) ?? Promise.reject(new Error('no account'))
  const operatedAccounts = {
    async find(id: typeof userId) {
      const found = await deps.accounts.find(id)
      return found && { account: found, organizations: await deps.organizations.list({ userId: id, securityRev: 0 }) }
    },
  }
  const operate = (when: OperatedRemoval = 'after_a_day', options = { dryRun: false }) =>
    operateOnFactors({ ...deps, operatedAccounts }, { userId, when }, options)
  const run = (ms: number) => {
    service.wait(ms)
    return takeResetSteps(deps, Number.POSITIVE_INFINITY)
  }
  const subjects = () => service.mailsTo(EMAIL).map(({ mail }) => mail.subject)
  const mailed = () => subjects().filter((subject) => subject === SCHEDULED || subject === REMOVED)
  const signIn = (password = PASSWORD, factors = noFactors()) => openBrowser(service).signIn(EMAIL, password, factors)
  return { service, deps, userId, organizations, home, own, account, operate, run, mailed, signIn }
}

describe('A removal of second factors by an operator', () => {
  it('takes effect a day later, mails at once and at half time, and is in the activity and each organization’s log', async () => {
    const { service, userId, organizations, home, operate, run, mailed, signIn } = await scene()
    const effectiveAt = service.now() + DAY
    expect(await operate()).toEqual({ kind: 'scheduled', effectiveAt, organizations: 2 })
    expect(service.entries.map(({ organizationId }) => organizationId)).toEqual(organizations)
    const said = { action: 'user.factor_removal_scheduled', target: userId, actor: { type: 'operator', id: null } }
    const detail = { effective_at: toRfc3339(effectiveAt) }
    for (const entry of service.entries) expect(entry).toMatchObject({ ...said, detail })
    await run(MINUTE)
    expect(mailed()).toEqual([SCHEDULED])
    const mail = service.mailsTo(EMAIL).at(-1)?.mail
    expect(mail?.text).toContain('https://api.console.example.com/api/account/security')
    expect(await operate()).toEqual({ kind: 'unchanged', effectiveAt })
    await run(12 * HOUR)
    expect(mailed()).toEqual([SCHEDULED, SCHEDULED])
    await run(12 * HOUR - 2 * MINUTE)
    expect(await signIn()).toBe('needs_factor')
    expect(service.activity(userId)).not.toContain('factor_removed')
    await run(MINUTE)
    expect(mailed()).toEqual([SCHEDULED, SCHEDULED, REMOVED])
    expect(await home.isIn()).toBe(false)
    expect(await signIn()).toBe('in')
    expect(service.activity(userId)).toContain('factor_removed')
  })

  it('is done now if that is asked, ends every session, and mails once', async () => {
    const { service, userId, organizations, home, operate, run, mailed, signIn } = await scene()
    expect(await operate('now')).toEqual({ kind: 'removed', organizations: 2 })
    expect(await home.isIn()).toBe(false)
    expect(await signIn()).toBe('in')
    expect(service.entries.map(({ organizationId, action }) => [organizationId, action])).toEqual(
      organizations.map((id) => [id, 'user.factors_removed']),
    )
    expect(service.activity(userId)).toContain('factor_removed')
    await run(MINUTE)
    await run(2 * DAY)
    expect(mailed()).toEqual([REMOVED])
    expect(await operate()).toEqual({ kind: 'refused', why: 'the user has no second factor' })
  })

  it('changes nothing in a dry run', async () => {
    const { service, operate, run, mailed, signIn } = await scene()
    expect(await operate('now', { dryRun: true })).toEqual({ kind: 'removed', organizations: 2 })
    expect(await operate('after_a_day', { dryRun: true })).toMatchObject({ kind: 'scheduled', organizations: 2 })
    await run(2 * DAY)
    expect([service.entries, mailed(), await signIn()]).toEqual([[], [], 'needs_factor'])
  })

  // [threat 103.5]
  it.each([
    ['of more than 14 days', 15 * DAY, 'needs_factor'],
    ['that is younger', 13 * DAY, 'in'],
  ])('is stopped by the use of a factor %s alone', async (_, ageMs, after) => {
    const { own, operate, run, signIn } = await scene(ageMs)
    await operate()
    await run(HOUR)
    expect(await signIn(PASSWORD, own)).toBe('in')
    await run(DAY)
    expect(await signIn()).toBe(after)
  })

  it('is stopped on the security page after a sign-in with such a factor', async () => {
    const { service, own, operate, run, signIn } = await scene()
    const browser = openBrowser(service)
    await operate()
    await browser.signIn(EMAIL, PASSWORD, own)
    expect(await browser.submit({ action: 'cancel_reset' })).toBeDefined()
    await run(2 * DAY)
    expect(await signIn()).toBe('needs_factor')
  })

  // [threat 103.5]
  it('is not stopped by a new password, by that of a thief or by a reset, even if it removes younger factors', async () => {
    const { service, deps, home, own, operate, run, signIn } = await scene()
    const planted = noFactors()
    await home.signIn(EMAIL, PASSWORD, own)
    await home.addPasskey(planted)
    service.wait(DAY)
    await operate()
    const change = { currentPassword: PASSWORD, newPassword: 'the thief’s phrase', language: 'en' } as const
    expect(await home.call({}, change, (caller) => changePassword(deps, caller, change))).toBe('done')
    await forgotPassword(deps, { email: EMAIL, sourceIp: '203.0.113.20', language: 'en' })
    const mails = service.mailsTo(EMAIL).flatMap(({ mail }) => linkIn(mail) ?? [])
    const link = mails.findLast(({ purpose }) => purpose === 'reset_password')
    expect(link && (await followLink(service, openBrowser(service), link, { password: NEW }))).toBe('done')
    expect(await signIn(NEW)).toBe('needs_factor')
    await run(DAY)
    expect(await signIn(NEW)).toBe('in')
  })

  it('can still be stopped by the older factor once the password was changed in the meantime', async () => {
    const { deps, home, own, operate, run, signIn } = await scene()
    await operate()
    const change = { currentPassword: PASSWORD, newPassword: NEW, language: 'en' } as const
    expect(await home.call({}, change, (caller) => changePassword(deps, caller, change))).toBe('done')
    expect(await signIn(NEW, own)).toBe('in')
    await run(2 * DAY)
    expect(await signIn(NEW)).toBe('needs_factor')
  })

  it('takes the place of the user’s own request, and comes no later', async () => {
    const { service, deps, operate, run, signIn } = await scene()
    const browser = openBrowser(service)
    await browser.signIn(EMAIL, PASSWORD)
    const state = (action: 'request' | 'read') => lostFactor(deps, { secret: browser.secret(), action, language: 'en' })
    await state('request')
    const asked = service.mailsTo(EMAIL).flatMap(({ mail }) => linkIn(mail) ?? [])
    const link = asked.findLast(({ purpose }) => purpose === 'confirm_factor_reset')
    expect(link && (await followLink(service, browser, link, {}))).toBe('done')
    service.wait(7 * DAY - HOUR)
    const effectiveAt = service.now() + HOUR
    expect(await operate()).toEqual({ kind: 'scheduled', effectiveAt, organizations: 2 })
    await browser.signIn(EMAIL, PASSWORD)
    expect(await state('read')).toEqual({ state: 'waiting', effectiveAt, isApproved: false, approvers: [] })
    await run(HOUR)
    expect(await signIn()).toBe('in')
  })

  it('is shown on the page of lost factors, and no co-owner is asked to shorten it', async () => {
    const service = createService()
    const { deps } = service
    const [userId, colleagueId] = [
      await service.register(EMAIL, PASSWORD),
      await service.register('colleague@example.com', PASSWORD),
    ]
    service.found(userId, colleagueId)
    const [home, own] = [openBrowser(service), noFactors()]
    await home.signIn(EMAIL, PASSWORD)
    await home.addPasskey(own)
    const account = await deps.accounts.find(userId)
    const operatedAccounts = { find: async () => account && { account, organizations: [] } }
    await operateOnFactors({ ...deps, operatedAccounts }, { userId, when: 'after_a_day' }, { dryRun: false })
    const browser = openBrowser(service)
    await browser.signIn(EMAIL, PASSWORD)
    for (const action of ['read', 'send_again'] as const) {
      const shown = await lostFactor(deps, { secret: browser.secret(), action, language: 'en' })
      expect(shown).toEqual({ state: 'waiting', effectiveAt: service.now() + DAY, isApproved: false, approvers: [] })
    }
    expect(service.mailsTo('colleague@example.com')).toEqual([])
  })

  it('is refused for users who are unknown, being deleted or, unless it is now, suspended', async () => {
    const { deps, account, operate, userId } = await scene()
    const of = async (change: object, when: OperatedRemoval = 'after_a_day') => {
      const found = { account: { ...(await account()), ...change }, organizations: [] }
      const operatedAccounts = { find: async () => found }
      return operateOnFactors({ ...deps, operatedAccounts }, { userId, when }, { dryRun: true })
    }
    const deletion = { requestedAt: 0, eraseAfter: 1, language: 'en', organizations: [] }
    const { user } = await account()
    const suspended = { user: { ...user, isActive: false } }
    expect(await of({ deletion })).toEqual({ kind: 'refused', why: 'the account is being deleted' })
    expect(await of(suspended)).toMatchObject({ kind: 'refused', why: expect.stringContaining('--now') })
    expect(await of(suspended, 'now')).toEqual({ kind: 'removed', organizations: 0 })
    const nobody = { ...deps, operatedAccounts: { find: async () => undefined } }
    const unknown = await operateOnFactors(nobody, { userId, when: 'now' }, { dryRun: false })
    expect(unknown).toEqual({ kind: 'refused', why: 'there is no such user' })
    const lost = { schedule: async () => 'conflict' as const, remove: async () => 'conflict' as const }
    for (const when of ['now', 'after_a_day'] as const) {
      const operatedAccounts = { find: async () => ({ account: await account(), organizations: [] }) }
      const raced = { ...deps, operatedAccounts, operatedFactors: lost }
      const outcome = await operateOnFactors(raced, { userId, when }, { dryRun: false })
      expect(outcome).toEqual({ kind: 'refused', why: 'the account was changed meanwhile: look again' })
    }
    expect(await operate()).toMatchObject({ kind: 'scheduled' })
  })
})
