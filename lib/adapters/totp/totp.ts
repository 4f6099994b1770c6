import { Secret, TOTP } from 'otpauth'
import type { Totp } from '../../authenticators/ports.ts'

/** RFC 4226 §4 R6 recommends 160 bits. */
const SECRET_BYTES = 20
/** The defaults of all authenticator apps; many ignore the parameters of a URI. */
const codes = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** RFC 6238 §5.2: a step for the network and for clocks that differ. */
const WINDOW = 1

/** `Totp` by otpauth. @param issuer the name of the service, as apps show it */
export function createTotp(issuer: string): Totp {
  return {
    secretOf: (random) => {
      const bytes = Buffer.from(random, 'base64url').subarray(0, SECRET_BYTES)
      if (bytes.length < SECRET_BYTES) throw new RangeError('Too few random bytes for a TOTP secret')
      return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32
    },

    uriOf: (secret, account) => new TOTP({ issuer, label: account, secret, ...codes }).toString(),

    stepOf(secret, code, now) {
      const token = code.replaceAll(/\s/g, '')
      if (!/^\d{6}$/.test(token)) return undefined
      const totp = new TOTP({ secret, ...codes })
      const delta = totp.validate({ token, timestamp: now, window: WINDOW })
      return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
    },
  }
}
