import { beforeAll, describe, expect, it } from '@jest/globals'
import { PREVIOUS_TOKEN_KEY, useAccountsStack } from '../../support/accountsStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { forgeries, openWorkshop, type Workshop } from './forgeries.ts'
import { register, signIn } from './tokenRequests.ts'

const stack = useAccountsStack()
let shop: Workshop

beforeAll(async () => {
  const { tokens } = await signIn(stack(), await register(stack()), { scope: 'profile' })
  shop = openWorkshop(stack(), tokens.access_token)
})

/** What a protected endpoint answers to these credentials. */
async function present(authorization: string) {
  const response = await fetch(`${stack().baseUrl}/api/users/me`, { headers: { authorization } })
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.json() }
}

const refused = {
  status: 401,
  challenge: 'Bearer error="invalid_token"',
  body: errorBody('Unauthorized', 'invalid_token'),
}

/** The same bytes with one bit of one of them turned over. */
function flipped(part: string, position: number): string {
  const bytes = Buffer.from(part, 'base64url')
  const index = Math.floor(position / 8) % bytes.length
  bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << (position % 8)), index)
  return bytes.toString('base64url')
}

describe('GET /api/users/me', () => {
  it('accepts the genuine token, and one composed of its members again, signed by the current key and by the previous one', async () => {
    const { token, sign, header, claims } = shop
    const again = [
      token,
      await sign(header, claims),
      await sign({ ...header, kid: PREVIOUS_TOKEN_KEY }, claims, PREVIOUS_TOKEN_KEY),
    ]
    for (const good of again) expect(await present(`Bearer ${good}`)).toMatchObject({ status: 200, challenge: null })
  })

  describe('Given a forged token', () => {
    it('is tested with at least 25 kinds of forgeries', () => {
      expect(Object.keys(forgeries).length).toBeGreaterThanOrEqual(25)
    })

    // [asvs 9.1.1 9.1.2] [threat 47]
    it.each(Object.entries(forgeries))('refuses one with %s (RFC 9068 §4, RFC 8725 §3)', async (_, forge) => {
      const forged = await forge(shop)
      expect(forged).not.toBe(shop.token)
      expect(await present(`Bearer ${forged}`)).toEqual(refused)
    })

    // [asvs 9.1.1] [threat 49]
    it('refuses one in which any bit is flipped', async () => {
      const [header, payload, signature] = shop.parts
      for (let bit = 0; bit < 512; bit += 13) {
        const forged = [
          `${flipped(header, bit)}.${payload}.${signature}`,
          `${header}.${flipped(payload, bit * 5)}.${signature}`,
          `${header}.${payload}.${flipped(signature, bit)}`,
        ]
        for (const candidate of forged) expect(await present(`Bearer ${candidate}`)).toEqual(refused)
      }
    })
  })

  describe('Given a genuine token in another place', () => {
    // [asvs 10.1.1] [threat 46]
    it.each([
      ['the query', (token: string) => ({ query: `?access_token=${token}` })],
      ['a cookie', (token: string) => ({ headers: { cookie: `access_token=${token}` } })],
      ['another scheme', (token: string) => ({ headers: { authorization: `Token ${token}` } })],
      ['no scheme', (token: string) => ({ headers: { authorization: token } })],
    ])('ignores it in %s (RFC 6750 §2.3, RFC 9700 §4.3.2)', async (_, placed) => {
      const { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = placed(shop.token)
      const response = await fetch(`${stack().baseUrl}/api/users/me${query}`, { headers })
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    })
  })
})
