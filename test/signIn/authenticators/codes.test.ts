import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { beginTotpEnrollment, confirmTotp, removeTotp } from '../../../lib/authenticators/factors/enrollTotp.ts'
import { forgiveFailedCodes, MOST_FAILURES, verifyTotp } from '../../../lib/authenticators/factors/verifyTotp.ts'
import { listAuthenticators, requiredSecondFactor } from '../../../lib/authenticators/listAuthenticators.ts'
import type { CodeBrowser } from '../../../lib/authenticators/ports.ts'
import { createRecoveryCodes, verifyRecoveryCode } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import { race } from '../../support/race.ts'
import { type Person, STEP, useAuthenticators } from './authenticatorTestBed.ts'

const bed = useAuthenticators()
const { codeOf, withTotp } = bed
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const refused = { code: 'code_refused' }
const tooMany = { code: 'too_many_attempts' }

/** A code that is wrong for all steps around now. */
function wrongCode(secret: string): string {
  const right = [-1, 0, 1].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
}

const phone: CodeBrowser = { kind: 'pending', id: 'new phone' }
const desk: CodeBrowser = { kind: 'known', id: 'desk' }
const verify = ({ userId }: Person, code: string, browser = phone) =>
  verifyTotp(bed.deps(), { userId, securityRev: 0, code, browser })
const recover = ({ userId }: Person, code: string) => verifyRecoveryCode(bed.deps(), { userId, code })

describe('Enrolling TOTP', () => {
  it('returns the secret once as URI and text, and proves nothing until a code is confirmed', async () => {
    const ada = await bed.person()
    const { uri, secret } = await beginTotpEnrollment(bed.deps(), ada)
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toContain(encodeURIComponent(ada.email))
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual([])
    await expect(verify(ada, codeOf(secret))).rejects.toMatchObject(refused)
    await expect(confirmTotp(bed.deps(), ada, wrongCode(secret))).rejects.toMatchObject(refused)
    await confirmTotp(bed.deps(), ada, codeOf(secret))
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual(['totp'])
    expect((await listAuthenticators(bed.deps(), ada)).totp).toEqual({
      createdAt: bed.clock.now(),
      lastUsedAt: bed.clock.now(),
    })
  })

  it('stores the secret encrypted only, while it is pending and after', async () => {
    const ada = await bed.person()
    const { secret } = await beginTotpEnrollment(bed.deps(), ada)
    expect(JSON.stringify(await bed.stored(ada))).not.toContain(secret)
    await confirmTotp(bed.deps(), ada, codeOf(secret))
    expect(JSON.stringify(await bed.stored(ada))).not.toContain(secret)
  })

  it('does not let the confirming code sign in', async () => {
    const ada = await bed.person()
    const { secret } = await beginTotpEnrollment(bed.deps(), ada)
    await confirmTotp(bed.deps(), ada, codeOf(secret))
    await expect(verify(ada, codeOf(secret))).rejects.toMatchObject(refused)
    await expect(verify(ada, codeOf(secret, 1))).resolves.toBeUndefined()
  })

  it('replaces one begun before, expires after 15 minutes, and is refused beside a confirmed one', async () => {
    const ada = await bed.person()
    const expired = { code: 'enrollment_expired' }
    await expect(confirmTotp(bed.deps(), ada, '000000')).rejects.toMatchObject(expired)
    const first = await beginTotpEnrollment(bed.deps(), ada)
    const { secret } = await beginTotpEnrollment(bed.deps(), ada)
    await expect(confirmTotp(bed.deps(), ada, codeOf(first.secret))).rejects.toMatchObject(refused)
    bed.wait(15 * MINUTE)
    await expect(confirmTotp(bed.deps(), ada, codeOf(secret))).rejects.toMatchObject(expired)
    await expect(confirmTotp(bed.deps(), ada, wrongCode(secret))).rejects.toMatchObject(expired)
    const third = await beginTotpEnrollment(bed.deps(), ada)
    await confirmTotp(bed.deps(), ada, codeOf(third.secret))
    await expect(beginTotpEnrollment(bed.deps(), ada)).rejects.toMatchObject({ code: 'totp_exists' })
    await removeTotp(bed.deps(), ada)
    await expect(removeTotp(bed.deps(), ada)).rejects.toMatchObject({ code: 'authenticator_not_found' })
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual([])
    await expect(beginTotpEnrollment(bed.deps(), ada)).resolves.toBeDefined()
  })

  it('refuses an unverified account, and a grant that ended after it was begun', async () => {
    const begin = beginTotpEnrollment(bed.deps(), await bed.person({ isVerified: false }))
    await expect(begin).rejects.toMatchObject({ code: 'email_not_verified' })
    const ada = await bed.person()
    const { secret } = await beginTotpEnrollment(bed.deps(), ada)
    await bed.setAccount(ada, 'securityRev', 1)
    await expect(confirmTotp(bed.deps(), ada, codeOf(secret))).rejects.toMatchObject({ code: 'invalid_token' })
    expect((await bed.deps().authenticators.list(ada.userId)).totp).toBeUndefined()
  })
})

describe('A code of TOTP', () => {
  // [asvs 6.5.5 6.5.8]
  it('is taken once in its step, one step early or late, and never one older than the last', async () => {
    const { ada, secret } = await withTotp()
    await verify(ada, codeOf(secret))
    await expect(verify(ada, codeOf(secret))).rejects.toMatchObject(refused)
    await expect(verify(ada, codeOf(secret, -1))).rejects.toMatchObject(refused)
    await verify(ada, codeOf(secret, 1))
    await expect(verify(ada, codeOf(secret, 2))).rejects.toMatchObject(refused)
    bed.wait(STEP)
    await expect(verify(ada, codeOf(secret))).rejects.toMatchObject(refused)
    await verify(ada, codeOf(secret, 1))
    expect((await listAuthenticators(bed.deps(), ada)).totp?.lastUsedAt).toBe(bed.clock.now())
  })

  it('is of its user only', async () => {
    const [{ secret }, other] = [await withTotp(), await withTotp()]
    await expect(verify(other.ada, codeOf(secret))).rejects.toMatchObject(refused)
    await expect(verify(await bed.person(), codeOf(secret))).rejects.toMatchObject(refused)
  })
})

describe('Recovery codes', () => {
  // [asvs 6.5.3 6.5.4]
  it('are ten of 120 bits, of which only digests are stored', async () => {
    const { ada } = await withTotp()
    const codes = await createRecoveryCodes(bed.deps(), ada)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/)
    const stored = JSON.stringify(await bed.stored(ada))
    for (const code of codes) {
      expect(stored).not.toContain(code)
      expect(stored).not.toContain(code.replaceAll('-', ''))
    }
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual(['totp', 'recovery_code'])
  })

  it('work once each, however they are typed', async () => {
    const { ada } = await withTotp()
    const [one = '', two = ''] = await createRecoveryCodes(bed.deps(), ada)
    bed.wait(MINUTE)
    await recover(ada, one)
    await expect(recover(ada, one)).rejects.toMatchObject(refused)
    await recover(ada, ` ${two.toUpperCase().replaceAll('-', ' – ')} `)
    const { recoveryCodes } = await listAuthenticators(bed.deps(), ada)
    expect(recoveryCodes).toEqual({ left: 8, createdAt: bed.clock.now() - MINUTE, lastUsedAt: bed.clock.now() })
    for (const wrong of ['', 'abcde', 'aaaaa-aaaaa-aaaaa-aaaaa', '00000-11111-88888-99999']) {
      await expect(recover(ada, wrong)).rejects.toMatchObject(refused)
    }
  })

  it('of 100 bits, as they were made before, work until they are replaced', async () => {
    const { ada } = await withTotp()
    const [earlier, other] = ['abcdefghijklmnopqrst', 'bcdefghijklmnopqrstu'].map((typed) => ({
      code: (typed.match(/.{5}/g) ?? []).join('-'),
      digest: createHash('sha256').update(`${ada.userId} ${typed}`).digest('base64url'),
    }))
    if (!earlier || !other) throw new Error('two were made')
    await bed.deps().recoveryCodes.replace(ada, [earlier.digest, other.digest], { createdAt: bed.clock.now() })
    await recover(ada, earlier.code)
    await createRecoveryCodes(bed.deps(), ada)
    await expect(recover(ada, other.code)).rejects.toMatchObject(refused)
  })

  it('are of their user only, and end with the next ten', async () => {
    const { ada } = await withTotp()
    const { ada: eve } = await withTotp()
    const [old = ''] = await createRecoveryCodes(bed.deps(), ada)
    await createRecoveryCodes(bed.deps(), eve)
    await expect(recover(eve, old)).rejects.toMatchObject(refused)
    const [fresh = ''] = await createRecoveryCodes(bed.deps(), ada)
    await expect(recover(ada, old)).rejects.toMatchObject(refused)
    await recover(ada, fresh)
  })

  it('are made only beside a passkey or TOTP, and count only beside one', async () => {
    const none = createRecoveryCodes(bed.deps(), await bed.person())
    await expect(none).rejects.toMatchObject({ code: 'no_second_factor' })
    const { ada } = await withTotp()
    await createRecoveryCodes(bed.deps(), ada)
    await removeTotp(bed.deps(), ada)
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual([])
  })
})

describe('Tries of codes', () => {
  it('are 10 wrong ones in a browser, and then wait: other browsers go on', async () => {
    const { ada, secret } = await withTotp()
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(verify(ada, wrongCode(secret))).rejects.toMatchObject(refused)
    }
    await expect(verify(ada, codeOf(secret))).rejects.toMatchObject(tooMany)
    await verify(ada, codeOf(secret), { kind: 'known', id: 'desk' })
    await verify(ada, codeOf(secret, 1), { kind: 'pending', id: 'phone' })
    bed.wait(3 * HOUR)
    await expect(verify(ada, codeOf(secret))).resolves.toBeUndefined()
  })

  it('are not counted for recovery codes, which nobody can guess', async () => {
    const { ada } = await withTotp()
    const [code = ''] = await createRecoveryCodes(bed.deps(), ada)
    const guess = 'aaaa-aaaa-aaaa-aaaa-aaaa-aaaa'
    for (let attempt = 0; attempt < 30; attempt += 1) await expect(recover(ada, guess)).rejects.toMatchObject(refused)
    await recover(ada, code)
  })

  it('that succeed are taken back', async () => {
    const { ada, secret } = await withTotp()
    for (let attempt = 0; attempt < 15; attempt += 1) {
      await verify(ada, codeOf(secret))
      bed.wait(STEP)
    }
  })

  // [catch verifyTotp.verifyTotp]
  it('succeed where only taking the try back fails', async () => {
    const { ada, secret } = await withTotp()
    const { guesses, ...deps } = bed.deps()
    const failing = { ...guesses, takeBack: () => Promise.reject(new Error('unavailable')) }
    const typed = { userId: ada.userId, securityRev: 0, code: codeOf(secret), browser: phone }
    await expect(verifyTotp({ ...deps, guesses: failing }, typed)).resolves.toBeUndefined()
  })
})

describe('An authenticator app', () => {
  const suspended = { code: 'factor_suspended' }
  const forgive = ({ userId }: Person) => forgiveFailedCodes(bed.deps(), userId)

  /** Wrong codes, ten in a browser. */
  async function type(ada: Person, secret: string, times: number, kind: CodeBrowser['kind'] = 'pending') {
    const ids = Array.from({ length: times / 10 }, () => bed.deps().ids.uuid())
    const wrong = wrongCode(secret)
    for (let attempt = 0; attempt < times; attempt += 1) {
      const browser = { kind, id: ids[attempt % ids.length] ?? '' }
      await expect(verify(ada, wrong, browser)).rejects.toMatchObject(refused)
    }
  }

  /** Failures as they are counted. */
  async function countFailures(ada: Person, times: number, from: CodeBrowser['kind'] = 'pending') {
    const { totpAuthenticators } = bed.deps()
    const seen = await totpAuthenticators.find(ada.userId)
    if (seen === undefined) throw new Error('no TOTP')
    const counted = { securityRev: 0, from, limit: MOST_FAILURES }
    for (let attempt = 0; attempt < times; attempt += 1)
      expect(await totpAuthenticators.countTry(ada.userId, seen, counted)).toBe('counted')
  }

  /** 100 failures: ten wrong codes, and before them 90 as they are counted. */
  async function fail100(ada: Person, secret: string, from: CodeBrowser['kind'] = 'pending') {
    await countFailures(ada, 90, from)
    await type(ada, secret, 10, from)
  }

  // [threat 100]
  it('is suspended after 100 failures in a row, whichever browsers they are made in', async () => {
    const { ada, secret } = await withTotp()
    await type(ada, secret, 90)
    await verify(ada, codeOf(secret))
    bed.wait(STEP)
    await type(ada, secret, 100)
    for (const id of ['one', 'two']) {
      await expect(verify(ada, codeOf(secret, 1), { kind: 'pending', id })).rejects.toMatchObject(suspended)
    }
    // No time ends it.
    bed.wait(60 * DAY)
    await expect(verify(ada, codeOf(secret))).rejects.toMatchObject(suspended)
  })

  // [threat 100.1]
  it('that is suspended still signs in where the account knows the browser, which has 100 failures of its own', async () => {
    const { ada, secret } = await withTotp()
    await fail100(ada, secret)
    await verify(ada, codeOf(secret), desk)
    await expect(verify(ada, codeOf(secret, 1))).rejects.toMatchObject(suspended)
    await fail100(ada, secret, 'known')
    await expect(verify(ada, codeOf(secret, 1), desk)).rejects.toMatchObject(suspended)
  })

  it('begins anew with a reset by mail, which gives the account another revision', async () => {
    const { ada, secret } = await withTotp()
    await fail100(ada, secret)
    await verifyTotp(bed.deps(), { userId: ada.userId, securityRev: 1, code: codeOf(secret), browser: phone })
  })

  it('begins anew once another factor was shown', async () => {
    const { ada, secret } = await withTotp()
    await fail100(ada, secret)
    await forgive(ada)
    await verify(ada, codeOf(secret))
    await fail100(ada, secret)
    await expect(verify(ada, codeOf(secret, 1))).rejects.toMatchObject(suspended)
  })

  it('begins anew when it is set up again', async () => {
    const { ada, secret } = await withTotp()
    await fail100(ada, secret)
    await removeTotp(bed.deps(), ada)
    const { secret: next } = await beginTotpEnrollment(bed.deps(), ada)
    await confirmTotp(bed.deps(), ada, codeOf(next, -1))
    await verify(ada, codeOf(next))
  })

  // [threat 100]
  it('admits no more than 100 of the wrong codes that come at once', async () => {
    const { ada, secret } = await withTotp()
    const wrong = wrongCode(secret)
    await countFailures(ada, 97)
    const codes = await race((place) =>
      verify(ada, wrong, { kind: 'pending', id: `${place}` }).catch((error) => Object(error).code),
    )
    expect(codes.toSorted()).toEqual(codes.map((_, index) => (index < 3 ? 'code_refused' : 'factor_suspended')))
  })

  // [catch verifyTotp.forgiveFailedCodes]
  it('stays suspended where its store fails, and the other factor signs in', async () => {
    const { ada, secret } = await withTotp()
    await fail100(ada, secret)
    const { totpAuthenticators, ...deps } = bed.deps()
    const failing = { ...totpAuthenticators, forgive: () => Promise.reject(new Error('unavailable')) }
    await forgiveFailedCodes({ ...deps, totpAuthenticators: failing }, ada.userId)
    await expect(verify(ada, codeOf(secret))).rejects.toMatchObject(suspended)
  })
})
