import { describe, expect, it } from '@jest/globals'
import { methodsOf, type Proof } from '../../../lib/authenticators/methodsOf.ts'
import { levelOf } from '../../../lib/core/authentication.ts'

const password: Proof = { kind: 'password' }
const passkey = (backupEligible: boolean, userVerified: boolean): Proof => ({
  kind: 'passkey',
  backupEligible,
  userVerified,
})

describe('The methods of a sign-in (RFC 8176)', () => {
  it.each<[string, Proof[], string[], string]>([
    ['nothing', [], [], 'aal1'],
    ['a password', [password], ['pwd'], 'aal1'],
    ['a password and TOTP', [password, { kind: 'totp' }], ['pwd', 'otp', 'mfa'], 'aal2'],
    ['a password and a recovery code', [password, { kind: 'recovery_code' }], ['pwd', 'otp', 'mfa'], 'aal2'],
    ['a password and a security key', [password, passkey(false, false)], ['pwd', 'hwk', 'mfa'], 'aal2'],
    ['a password and a verified passkey', [password, passkey(true, true)], ['pwd', 'swk', 'user', 'mfa'], 'aal2'],
    ['a passkey on its device alone', [passkey(false, true)], ['hwk', 'user', 'mfa'], 'aal2'],
    ['a passkey that may be copied, alone', [passkey(true, true)], ['swk', 'user', 'mfa'], 'aal2'],
    ['a passkey alone, unverified', [passkey(true, false)], ['swk'], 'aal1'],
    ['two codes without a password', [{ kind: 'totp' }, { kind: 'recovery_code' }], ['otp'], 'aal1'],
  ])('of %s are named, and have a level', (_, proofs, methods, level) => {
    expect(methodsOf(proofs)).toEqual(methods)
    expect(levelOf({ methods: methodsOf(proofs) })).toBe(level)
  })
})
