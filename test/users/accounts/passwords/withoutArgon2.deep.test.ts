/** @derives-each-key */
import { argon2 } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createArgon2idPasswords } from '../../../../lib/adapters/passwords/argon2idPasswords.ts'
import { argon2idPasswords as passwords } from '../../../support/argon2idPasswords.ts'

const current = { isRight: true, isOutdated: false }
const wrong = { isRight: false, isOutdated: false }

describe('Where the runtime lacks Argon2', () => {
  /** With what it logs. */
  function passwordsOf(native: typeof argon2 | 'none') {
    const logged: unknown[] = []
    const logger = { info: () => {}, warn: (...entry: unknown[]) => void logged.push(entry), error: () => {} }
    return { passwords: createArgon2idPasswords({ logger }, () => native), logged }
  }
  const unsupported: typeof argon2 = () => {
    throw Object.assign(new Error('Argon2 algorithm not supported'), { code: 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED' })
  }
  const failing: typeof argon2 = (_algorithm, _parameters, done) =>
    done(new Error('digital envelope routines::unsupported'), Buffer.alloc(0))

  // [catch argon2id.createArgon2id]
  it.each([
    ['has no such function', 'none'],
    ['throws', unsupported],
    ['answers an error', failing],
  ] as const)('a package makes the same hashes, where it %s, and the log warns once', async (_, native) => {
    const { passwords: others, logged } = passwordsOf(native)
    const made = await others.hash('pässword')
    expect(made).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.check('pässword', made)).toEqual(current)
    expect(logged).toEqual([['Argon2 of the runtime not used', { reason: expect.any(String) }]])
  })

  it('the package says of a hash of the runtime whether a password is right, and the runtime of one of the package', async () => {
    const { passwords: others } = passwordsOf('none')
    const [made, native] = [await others.hash('pässword'), await passwords.hash('pässword')]
    expect(await passwords.check('password', made)).toEqual(wrong)
    expect(await others.check('pässword', native)).toEqual(current)
    expect(await others.check('guessed', native)).toEqual(wrong)
  })

  it('and nothing is logged where it has it', async () => {
    const { passwords: own, logged } = passwordsOf(argon2)
    await own.hash('pässword')
    expect(logged).toEqual([])
  })
})
