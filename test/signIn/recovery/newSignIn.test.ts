import { beforeEach, describe, expect, it } from '@jest/globals'
import { changeNotifications, readNotifications } from '../../../lib/users/activity/notifications.ts'
import { openBrowser } from './browser.ts'
import { createService, DAY, HOUR, type Service } from './service.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'the password'
const SUBJECT = 'New sign-in to your account'

let service: Service = createService()
beforeEach(() => {
  service = createService()
})

const newSignIns = () => service.mailsTo(EMAIL).filter(({ mail }) => mail.subject === SUBJECT)

describe('A sign-in in a browser that is new to the account', () => {
  // [asvs 6.3.5] [threat 30.8a]
  it('is mailed once, with browser, time, country and network, and a link to a new password', async () => {
    await service.register(EMAIL, PASSWORD)
    const browser = openBrowser(service)
    expect(await browser.signIn(EMAIL, PASSWORD)).toBe('in')
    service.wait(13 * HOUR)
    expect(await browser.signIn(EMAIL, PASSWORD)).toBe('in')
    service.wait(60 * DAY)
    expect(await browser.signIn(EMAIL, PASSWORD)).toBe('in')
    expect(newSignIns()).toHaveLength(1)
    const text = newSignIns()[0]?.mail.text
    expect(text).toContain('Firefox on Linux, on 2 November 2026 at 08:00 UTC, Germany, IP address 203.0.113.7')
    expect(text).toMatch(/purpose=reset_password/)
  })

  // [catch mailNewSignIn.writeMail] [threat 30.8a]
  it('is mailed 10 times at once and every 2 hours then, if a thief with the password makes new browsers', async () => {
    await service.register(EMAIL, PASSWORD)
    for (let n = 0; n < 15; n += 1) expect(await openBrowser(service).signIn(EMAIL, PASSWORD)).toBe('in')
    expect(newSignIns()).toHaveLength(10)
    service.wait(2 * HOUR + 3000)
    await openBrowser(service).signIn(EMAIL, PASSWORD)
    expect(newSignIns()).toHaveLength(11)
  })

  it('is not mailed if it fails, nor before the second factor', async () => {
    await service.register(EMAIL, PASSWORD)
    const browser = openBrowser(service)
    await browser.signIn(EMAIL, PASSWORD)
    const factors = { passkeys: [], secrets: [], codes: [] }
    expect(await browser.addTotp(factors)).toBe(true)
    expect(newSignIns()).toHaveLength(1)
    expect(await openBrowser(service).signIn(EMAIL, 'another password')).toBe('refused')
    expect(await openBrowser(service).signIn(EMAIL, PASSWORD)).toBe('needs_factor')
    expect(newSignIns()).toHaveLength(1)
    service.wait(HOUR)
    expect(await openBrowser(service).signIn(EMAIL, PASSWORD, factors)).toBe('in')
    expect(newSignIns()).toHaveLength(2)
  })

  it('is not mailed to a user who does not want it, until they do', async () => {
    const userId = await service.register(EMAIL, PASSWORD)
    const caller = { userId, securityRev: 0 }
    expect(await readNotifications(service.deps, caller)).toEqual({ sign_in_mails: true })
    await changeNotifications(service.deps, caller, { sign_in_mails: false })
    await openBrowser(service).signIn(EMAIL, PASSWORD)
    expect(newSignIns()).toEqual([])
    expect(await changeNotifications(service.deps, caller, {})).toEqual({ sign_in_mails: false })
    await changeNotifications(service.deps, caller, { sign_in_mails: true })
    await openBrowser(service).signIn(EMAIL, PASSWORD)
    expect(newSignIns()).toHaveLength(1)
  })

  it('succeeds if its mail does not', async () => {
    await service.register(EMAIL, PASSWORD)
    service.deps.mailer.send = () => Promise.reject(new Error('not taken'))
    expect(await openBrowser(service).signIn(EMAIL, PASSWORD)).toBe('in')
  })
})
