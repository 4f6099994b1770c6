import { describe, expect, it } from '@jest/globals'
import { createTotp } from '../../../lib/adapters/totp/totp.ts'

const totp = createTotp('Console & Co')
/** RFC 6238, appendix B: the ASCII text 12345678901234567890 in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const STEP_MS = 30_000

describe('TOTP', () => {
  // The appendix has eight digits, of which six are the last six (RFC 4226 §5.3).
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('takes the code of RFC 6238 at second %d, in its step', (seconds, code) => {
    expect(totp.stepOf(SECRET, code.slice(2), seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  it('takes a code one step early or late, and no further', () => {
    const [now, code] = [1_234_567_890_000, '005924']
    const step = Math.floor(now / STEP_MS)
    const taken = [-2, -1, 0, 1, 2].map((steps) => totp.stepOf(SECRET, code, now + steps * STEP_MS))
    expect(taken).toEqual([undefined, step, step, step, undefined])
  })

  it('takes spaces, as apps show codes, and nothing else than six digits', () => {
    const now = 1_234_567_890_000
    expect(totp.stepOf(SECRET, ' 005 924 ', now)).toBeDefined()
    for (const code of ['', '5924', '0059245', '+05924', '٠٠٥٩٢٤', '0059a4', '005925']) {
      expect(totp.stepOf(SECRET, code, now)).toBeUndefined()
    }
  })

  // [asvs 6.5.3]
  it('makes a secret of 160 bits, and refuses fewer random ones', () => {
    const random = Buffer.from('12345678901234567890 and more').toString('base64url')
    expect(totp.secretOf(random)).toBe(SECRET)
    expect(() => totp.secretOf('too short')).toThrow(RangeError)
  })

  it('names issuer, account and secret in the URI, escaped', () => {
    const uri = new URL(totp.uriOf(SECRET, 'ada+1@example.com'))
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(uri.pathname)).toBe('/Console & Co:ada+1@example.com')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Console & Co',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
