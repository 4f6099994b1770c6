import { describe, expect, it } from '@jest/globals'
import { contract as invitation } from '../../../functions/organizations-invite/contract.ts'
import { inviteMember } from '../../../lib/organizations/invitations/inviteMember.ts'
import { forgotPassword } from '../../../lib/users/password/resetPassword.ts'
import { noFactors, openBrowser } from './browser.ts'
import { followLink, linkIn } from './mailbox.ts'
import { createService, DAY, HOUR } from './service.ts'

const EMAIL = 'ada@example.com'
const FIRST = 'the password of old'
const SECOND = 'the password after the reset'

/** An account of a month, signed in in a browser, and a reader of its mailbox in another. */
async function forgetful() {
  const service = createService()
  const userId = await service.register(EMAIL, FIRST)
  const organizationId = service.found(userId)
  const [before, reader] = [openBrowser(service), openBrowser(service)]
  await before.signIn(EMAIL, FIRST)
  const factors = noFactors()
  const follow = (own: readonly string[]) => {
    const mail = service.mailsTo(EMAIL).at(-1)?.mail
    const link = mail && linkIn(mail)
    if (link === undefined) throw new Error('the newest mail has no link')
    return followLink(service, reader, link, { password: SECOND, own })
  }
  return {
    ...{ service, before, reader, factors, follow },
    /** Resets the password by mail in the reader's browser, which leaves these authenticators in place. */
    async reset(own: readonly string[] = []) {
      await forgotPassword(service.deps, { email: EMAIL, sourceIp: '203.0.113.20', language: 'en' })
      expect(await follow(own)).toBe('done')
    },
    invite: () => {
      const body = { email: 'grace@example.com', role: 'owner', language: 'en' } as const
      return reader.call(invitation, body, (caller) => inviteMember(service.deps, { organizationId, caller, ...body }))
    },
    /** The kinds of mails since the reset was asked for. */
    subjects: () => service.mailsTo(EMAIL).map(({ mail }) => mail.subject),
  }
}

describe('A reset of the password by mail', () => {
  it('signs in the browser that sets the password, which has proven the address, and ends every other session', async () => {
    const { before, reader, reset, invite } = await forgetful()
    expect([await before.isIn(), await reader.isIn()]).toEqual([true, false])
    await reset()
    expect([await before.isIn(), await reader.isIn()]).toEqual([false, true])
    expect(await invite()).toBe('done')
  })

  it('is mailed as a new password only, not as a new sign-in too', async () => {
    const { reset, subjects } = await forgetful()
    const known = subjects().length
    await reset()
    expect(subjects().slice(known)).toEqual(['Reset your password', 'Your password was changed'])
  })

  // [asvs 6.3.6] [threat 124.1]
  it.each(['addPasskey', 'addTotp'] as const)(
    'is no way around a second factor that stays: the mailbox alone never gets in (%s)',
    async (add) => {
      const { service, before, reader, factors, reset } = await forgetful()
      expect(await before[add](factors)).toBe(true)
      service.wait(15 * DAY)
      for (let day = 0; day < 5; day += 1) {
        await reset()
        expect([await reader.isIn(), await reader.showFactor(noFactors())]).toEqual([false, 'needs_factor'])
        service.wait(DAY)
      }
      await reset()
      expect([await reader.showFactor(factors), await reader.isIn()]).toEqual(['in', true])
    },
  )

  it('signs in without the second factors that it removes', async () => {
    const { service, before, reader, factors, reset } = await forgetful()
    await before.addPasskey(factors)
    service.wait(DAY)
    await reset()
    expect(await reader.isIn()).toBe(true)
  })

  it('asks for a factor of the last 24 hours that it leaves, which is as new after it', async () => {
    const { service, before, reader, factors, reset, invite } = await forgetful()
    await before.addPasskey(factors)
    service.wait(HOUR)
    await reset(factors.passkeys.map(({ id }) => id))
    expect(await reader.isIn()).toBe(false)
    expect(await reader.showFactor(factors)).toBe('in')
    expect(await invite()).toBe('factor_too_new')
  })

  // [threat 124.1]
  it('asks for a factor that was added while it was set', async () => {
    const { service, before, reader, factors, reset } = await forgetful()
    const { hash } = service.deps.passwords
    service.deps.passwords.hash = async (text) => {
      await before.addPasskey(factors)
      return hash(text)
    }
    await reset()
    expect(await reader.isIn()).toBe(false)
    expect(await reader.showFactor(factors)).toBe('in')
  })
})

describe('The undo of an added second factor', () => {
  // [threat 124.2]
  it('signs in no one: its link went to every address of the last 7 days', async () => {
    const { before, reader, factors, follow } = await forgetful()
    await before.addPasskey(factors)
    expect(await follow([])).toBe('done')
    expect([await before.isIn(), await reader.isIn()]).toEqual([false, false])
    expect(await reader.signIn(EMAIL, SECOND)).toBe('in')
  })
})
