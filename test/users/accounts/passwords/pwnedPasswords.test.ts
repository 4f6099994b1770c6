import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../../infra/listenOnLoopback.ts'
import { createPwnedPasswords } from '../../../../lib/adapters/pwnedpasswords/pwnedPasswords.ts'
import { passwordProblem } from '../../../../lib/users/password/goodPassword.ts'

const BREACHED = 'staple-battery-4c1d'
const OTHER = 'another-passphrase-9e2f'
const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

const padding = (count: number) => `${sha1(`padding ${Math.random()}`).slice(5)}:${count}`

/** As the service answers: upper case, CRLF, in the order of the digests, padded with rows of the count 0. */
function range(...lines: string[]) {
  const padded = [...lines, ...Array.from({ length: 800 }, () => padding(0)), padding(3)]
  return (_: IncomingMessage, response: ServerResponse) =>
    response.setHeader('content-type', 'text/plain').end(padded.sort().join('\r\n'))
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

let answer: Answer
let asked: { url: string | undefined; headers: IncomingMessage['headers'] }[] = []
const server = createServer((request, response) => {
  asked.push({ url: request.url, headers: request.headers })
  answer(request, response)
})
const { url: baseUrl, close } = await listenOnLoopback(server)
afterAll(close)
beforeEach(() => {
  asked = []
})

const logged: unknown[] = []
const deps = () => ({
  strength: { weaknessOf: async () => undefined },
  pwnedPasswords: createPwnedPasswords(baseUrl),
  branding: { name: 'Console' },
  logger: { info: () => undefined, warn: (...entry: unknown[]) => logged.push(entry), error: () => undefined },
})
const problemOf = (password: string) => passwordProblem(deps(), password, { email: 'ada@example.com', username: 'ada' })

describe('The list of breached passwords', () => {
  // [asvs 6.2.12]
  it('has a password whose digest is in the range, in any case', async () => {
    const line = `${sha1(BREACHED).slice(5)}:42`
    for (const written of [line, line.toLowerCase()]) {
      answer = range(written)
      expect(await problemOf(BREACHED)).toBe('password_breached')
    }
    expect(await problemOf(OTHER)).toBeUndefined()
    expect(logged).toEqual([])
  })

  it('is asked for five digits of the digest of the composed password, with padding, and nothing else', async () => {
    answer = range()
    await problemOf('schlu\u0308ssel-im-gras')
    expect(asked.map(({ url }) => url)).toEqual([`/range/${sha1('schlüssel-im-gras').slice(0, 5)}`])
    expect(asked[0]?.headers).toMatchObject({ 'add-padding': 'true' })
  })

  it('does not have what only fills the range up', async () => {
    answer = range(`${sha1(BREACHED).slice(5)}:0`)
    expect(await problemOf(BREACHED)).toBeUndefined()
  })

  const failures: readonly (readonly [string, Answer])[] = [
    ['answers an error', (_, response) => response.writeHead(503).end()],
    ['limits its callers', (_, response) => response.writeHead(429, { 'retry-after': '2' }).end()],
    ['leads elsewhere', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['hangs up', (request) => request.socket.destroy()],
    ['does not answer', () => undefined],
    ['does not finish', (_, response) => response.writeHead(200).write('0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n')],
  ]

  // [catch goodPassword.isBreached]
  it.each(failures)('keeps no one from a password where it %s, for more than a second', async (_, failing) => {
    logged.length = 0
    answer = failing
    const before = performance.now()
    expect(await problemOf(BREACHED)).toBeUndefined()
    expect(performance.now() - before).toBeLessThan(3000)
    expect(logged).toEqual([['Breached passwords not asked', { reason: expect.any(String) }]])
    for (const secret of [BREACHED, sha1(BREACHED).slice(0, 5)]) expect(JSON.stringify(logged)).not.toContain(secret)
  })

  it('is not asked where a password is refused anyway, or where none is configured', async () => {
    answer = range()
    expect(await problemOf('short')).toBe('password_too_short')
    const weakness = { suggestions: ['useWords'] as const }
    const weak = { ...deps(), strength: { weaknessOf: async () => weakness } }
    const person = { email: 'ada@example.com', username: 'ada' }
    expect(await passwordProblem(weak, BREACHED, person)).toEqual(weakness)
    expect(await passwordProblem({ ...deps(), pwnedPasswords: undefined }, BREACHED, person)).toBeUndefined()
    expect(asked).toEqual([])
  })
})
