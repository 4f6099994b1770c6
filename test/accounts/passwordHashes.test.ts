import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { argon2idPasswords as passwords } from '../../lib/adapters/passwords/argon2idPasswords.ts'
import { limitConcurrency } from '../../lib/adapters/passwords/limitConcurrency.ts'

/** Of the reference implementation's own tests: "password", "somesalt", 64 MiB, 2 passes. */
const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

describe('A hash of a password', () => {
  // [asvs 11.2.1 11.4.2]
  it('is a PHC string of argon2id with OWASP’s parameters, another one each time', async () => {
    const [one, two] = [await passwords.hash('staple-battery'), await passwords.hash('staple-battery')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(two)
    expect(passwords.isOutdated(one)).toBe(false)
  })

  it('matches exactly one password', async () => {
    const hash = await passwords.hash('Staple-battery')
    const tries = ['Staple-battery', 'staple-battery', 'Staple-battery ', '', 'Staple-batter']
    expect(await Promise.all(tries.map((password) => passwords.verify(password, hash)))).toEqual([
      true,
      ...Array(4).fill(false),
    ])
  })

  it('with other parameters is verified with them, and is outdated', async () => {
    expect(await passwords.verify('password', reference)).toBe(true)
    expect(await passwords.verify('Password', reference)).toBe(false)
    expect(passwords.isOutdated(reference)).toBe(true)
  })

  it('that is missing matches no password', async () => {
    expect(await passwords.verify('', undefined)).toBe(false)
  })

  it.each(['', 'staple-battery', '$2b$10$abc', '$argon2i$v=19$m=16,t=2,p=1$c29tZXNhbHQ$c29tZXNhbHQ'])(
    'is not %j: what is stored was not written here',
    async (text) => {
      await expect(passwords.verify('staple-battery', text)).rejects.toThrow(TypeError)
    },
  )
})

describe('Hashing', () => {
  // [asvs 15.2.2]
  it('runs at most two at a time, in the order of the requests, and goes on after a failure', async () => {
    const atMostTwo = limitConcurrency(2)
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
    const results = await Promise.allSettled(Array.from({ length: 7 }, (_, number) => atMostTwo(work(number))))
    expect(most).toBe(2)
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      ...Array<string>(5).fill('fulfilled'),
    ])
  })
})
