/** @derives-each-key */
import { argon2Sync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { limitConcurrency, toPhcString } from '../../../../lib/adapters/passwords/argon2idPasswords.ts'
import { argon2idPasswords as passwords } from '../../../support/argon2idPasswords.ts'

/** Of the reference implementation's own tests: "password", "somesalt", 64 MiB, 2 passes. */
const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

const current = { isRight: true, isOutdated: false }
const outdated = { isRight: true, isOutdated: true }
const wrong = { isRight: false, isOutdated: false }

/** A hash with current parameters of the bytes as they are. */
function hashAsTyped(password: string): string {
  const salt = Buffer.from('somesaltsomesalt')
  const parameters = { memory: 19_456, passes: 2, parallelism: 1 }
  const hash = argon2Sync('argon2id', { ...parameters, message: password, nonce: salt, tagLength: 32 })
  return toPhcString({ ...parameters, salt, hash })
}

describe('A hash of a password', () => {
  // [asvs 11.2.1 11.4.2]
  it('is a PHC string of argon2id with OWASP’s parameters, another one each time', async () => {
    const [one, two] = [await passwords.hash('staple-battery'), await passwords.hash('staple-battery')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(two)
    expect(await passwords.check('staple-battery', one)).toEqual(current)
  })

  it('matches exactly one password', async () => {
    const hash = await passwords.hash('Staple-battery')
    const tries = ['Staple-battery', 'staple-battery', 'Staple-battery ', '', 'Staple-batter']
    expect(await Promise.all(tries.map((password) => passwords.check(password, hash)))).toEqual([
      current,
      ...Array(4).fill(wrong),
    ])
  })

  it('matches each spelling of a text that Unicode calls the same', async () => {
    const [composed, decomposed] = ['schlüssel-café', 'schlu\u0308ssel-cafe\u0301']
    for (const set of [composed, decomposed]) {
      const hash = await passwords.hash(set)
      expect(await passwords.check(composed, hash)).toEqual(current)
      expect(await passwords.check(decomposed, hash)).toEqual(current)
      expect(await passwords.check('schlussel-cafe', hash)).toEqual(wrong)
    }
  })

  it('of a password as it was typed is right where it is typed so again, and outdated', async () => {
    const typed = 'schlu\u0308ssel-cafe\u0301'
    const hash = hashAsTyped(typed)
    expect(await passwords.check(typed, hash)).toEqual(outdated)
    expect(await passwords.check(typed.normalize('NFC'), hash)).toEqual(wrong)
    expect(await passwords.check(`${typed}\u0301`, hash)).toEqual(wrong)
  })

  it('with other parameters is verified with them, and is outdated', async () => {
    expect(await passwords.check('password', reference)).toEqual(outdated)
    expect(await passwords.check('Password', reference)).toEqual(wrong)
  })

  it.each(['', 'cafe\u0301'])('that is missing matches no password: %j', async (password) => {
    expect(await passwords.check(password, undefined)).toEqual(wrong)
  })

  it.each(['', 'staple-battery', '$2b$10$abc', '$argon2i$v=19$m=16,t=2,p=1$c29tZXNhbHQ$c29tZXNhbHQ'])(
    'is not %j: what is stored was not written here',
    async (text) => {
      await expect(passwords.check('staple-battery', text)).rejects.toThrow(TypeError)
    },
  )
})

describe('Hashing', () => {
  // [asvs 15.2.2]
  it('runs at most two at a time, in the order of the requests, and goes on after a failure', async () => {
    const atMostTwo = limitConcurrency({ running: 2, waiting: 5 })
    const started: number[] = []
    let running = 0
    let most = 0
    const work = (number: number) => async () => {
      started.push(number)
      running += 1
      most = Math.max(most, running)
      await delay(5)
      running -= 1
      if (number === 1) throw new Error('failed')
      return number
    }
    const results = await Promise.allSettled(Array.from({ length: 9 }, (_, number) => atMostTwo(work(number))))
    expect(most).toBe(2)
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      ...Array<string>(5).fill('fulfilled'),
      // Refused, as five were waiting.
      'rejected',
      'rejected',
    ])
    expect(results.at(-1)).toMatchObject({ reason: { code: 'service_unavailable' } })
    expect(await atMostTwo(work(9))).toBe(9)
  })
})
