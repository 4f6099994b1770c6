import { describe, expect, it } from '@jest/globals'
import { contract as invitation } from '../../../functions/organizations-invite/contract.ts'
import { newUntilOf } from '../../../lib/authenticators/newFactor.ts'
import { inviteMember } from '../../../lib/organizations/invitations/inviteMember.ts'
import { noFactors, openBrowser } from './browser.ts'
import { play } from './play.ts'
import { createService, DAY, HOUR } from './service.ts'

/** A person who is signed in, with an account of this age, and an organization of theirs. */
async function signedIn(ageMs = 30 * DAY) {
  const service = createService()
  const userId = await service.register('ada@example.com', 'password', ageMs)
  const organizationId = service.found(userId)
  const browser = openBrowser(service)
  const factors = noFactors()
  const signIn = (own = factors) => browser.signIn('ada@example.com', 'password', own)
  await signIn()
  const invite = () => {
    const body = { email: 'grace@example.com', role: 'owner', language: 'en' } as const
    return browser.call(invitation, body, (caller) => inviteMember(service.deps, { organizationId, caller, ...body }))
  }
  return { service, userId, browser, factors, signIn, invite }
}

describe('A second factor in its first 24 hours', () => {
  // [threat 125]
  it.each(['adds a passkey', 'adds an app'] as const)(
    'is no way to other owners or another address for a thief who %s',
    async (deed) => {
      const plan = [deed, 'invites an accomplice as an owner', 'moves the account to another address'] as const
      const { ownsAll, refusals } = await play({
        plan,
        first: 'thief',
        noticed: 0,
        owns: 'no factor',
        organizations: 3,
      })
      expect([ownsAll, new Set(refusals)]).toEqual([true, new Set(['factor_too_new'])])
    },
  )

  // [threat 126]
  it('does not sign in alone, and does so after them', async () => {
    const { service, browser, factors, signIn } = await signedIn()
    await browser.addPasskey(factors)
    const [passkey] = factors.passkeys
    if (passkey === undefined) throw new Error('no passkey was added')
    service.wait(DAY - HOUR)
    expect(await openBrowser(service).signInByPasskeyAlone(passkey)).toBe('refused')
    expect(await signIn()).toBe('in')
    service.wait(HOUR)
    expect(await openBrowser(service).signInByPasskeyAlone(passkey)).toBe('in')
  })

  it('is not enough to change owners, neither in the session in which it was added nor in the next', async () => {
    const { service, browser, factors, signIn, invite } = await signedIn()
    expect(await invite()).toBe('done')
    await browser.addPasskey(factors)
    expect(await invite()).toBe('factor_too_new')
    expect(await signIn()).toBe('in')
    expect(await invite()).toBe('factor_too_new')
    service.wait(DAY)
    await signIn()
    expect(await invite()).toBe('done')
  })

  // [threat 125]
  it('makes recovery codes at once, which are as new', async () => {
    const { service, browser, factors, signIn, invite } = await signedIn()
    await browser.addPasskey(factors)
    expect(await browser.makeCodes(factors)).toBe(true)
    const codes = { ...noFactors(), codes: factors.codes }
    service.wait(HOUR)
    expect(await signIn(codes)).toBe('in')
    expect(await invite()).toBe('factor_too_new')
    service.wait(DAY)
    expect(await signIn(codes)).toBe('in')
    expect(await invite()).toBe('done')
  })

  it('is as good as an older factor that was beside it, and in an account as new', async () => {
    const beside = await signedIn()
    await beside.browser.addPasskey(beside.factors)
    beside.service.wait(DAY)
    await beside.signIn()
    await beside.browser.addTotp(beside.factors)
    beside.service.wait(HOUR)
    await beside.signIn({ ...noFactors(), secrets: beside.factors.secrets })
    expect(await beside.invite()).toBe('done')

    const young = await signedIn(HOUR)
    await young.browser.addPasskey(young.factors)
    expect(await young.invite()).toBe('done')
  })

  it('is no older factor for the next', () => {
    const now = Date.UTC(2026, 10, 20)
    const user = { createdAt: now - 30 * DAY }
    const flags = { backupEligible: true, backedUp: true, counter: 0, transports: [], publicKey: '', name: 'Key' }
    const passkey = { id: 'one', ...flags, createdAt: now, lastUsedAt: now }
    const own = (newUntil?: number) => ({
      passkeys: [{ ...passkey, newUntil }],
      totp: undefined,
      recoveryCodes: undefined,
    })
    const later = now + HOUR
    expect(newUntilOf(own(now + DAY), user, later)).toBe(later + DAY)
    expect(newUntilOf(own(now + HOUR), user, later)).toBeUndefined()
    expect(newUntilOf(own(), user, later)).toBeUndefined()
    expect(newUntilOf({ ...own(), passkeys: [] }, { createdAt: later - DAY + 1 }, later)).toBeUndefined()
    expect(newUntilOf({ ...own(), passkeys: [] }, { createdAt: later - DAY }, later)).toBe(later + DAY)
  })
})

describe('The activity of a user', () => {
  it('has each second factor that was added or removed, once', async () => {
    const { service, userId, browser, factors } = await signedIn()
    const changes = () => service.activity(userId).filter((type) => type.startsWith('factor_'))
    await browser.addPasskey(factors)
    expect(changes()).toEqual(['factor_added'])
    await browser.addTotp(factors)
    expect(changes()).toEqual(['factor_added', 'factor_added'])
    const [{ id } = { id: '' }] = factors.passkeys
    await browser.submit({ action: 'remove_passkey', id })
    await browser.submit({ action: 'remove_totp' })
    expect(changes()).toEqual(['factor_added', 'factor_added', 'factor_removed', 'factor_removed'])
    // There is nothing left to remove.
    await browser.submit({ action: 'remove_totp' }).catch(() => {})
    expect(changes()).toHaveLength(4)
  })
})
