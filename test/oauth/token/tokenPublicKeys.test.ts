import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { findKeyIn, readPublicJwks, readTokenPublicKeys } from '../../../lib/adapters/jose/tokenPublicKeys.ts'

const spki = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const rsaSpki = (modulusLength = 2048, publicExponent = 65537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64')
const [today, before] = [rsaSpki(), rsaSpki()]

describe('The variable TOKEN_PUBLIC_KEY', () => {
  // [asvs 9.1.3]
  it('holds one key, or two while the key is rotated, each under its kid', () => {
    expect(readTokenPublicKeys(`a:${today}`).map(({ kid }) => kid)).toEqual(['a'])
    const both = readTokenPublicKeys(`a:${today}, b:${before}`)
    expect(both.map(({ kid, key }) => [kid, key.export({ format: 'der', type: 'spki' }).toString('base64')])).toEqual([
      ['a', today],
      ['b', before],
    ])
  })

  it.each([
    ['nothing', ''],
    ['a key without a kid', today],
    ['an empty kid', `:${today}`],
    ['a kid without a key', 'a:'],
    ['a kid twice', `a:${today},a:${before}`],
    ['a comma too many', `a:${today},`],
    ['what is no key', 'a:AAAA'],
    ['an RSA key of 1024 bits', `a:${rsaSpki(1024)}`],
    ['an RSA key with another exponent', `a:${rsaSpki(2048, 3)}`],
    ['a key of P-256', `a:${spki('P-256')}`],
    ['a key of another curve', `a:${spki('P-384')}`],
    [
      'a key of another kind',
      `a:${generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
    ],
  ])('is refused at the start with %s', (_, text) => {
    expect(() => readTokenPublicKeys(text)).toThrow()
  })

  it('is read when the first token is verified: a text without keys is refused at once, a key that is none with each token', () => {
    expect(() => findKeyIn('a:')).toThrow('TOKEN_PUBLIC_KEY is not <kid>:<base64>')
    const keyOf = findKeyIn(`a:${today},b:AAAA`)
    expect(() => keyOf({ kid: 'a' })).toThrow()
    expect(() => keyOf({ kid: 'a' })).toThrow()
    expect(findKeyIn(`a:${today}`)({ kid: 'a' }).asymmetricKeyType).toBe('rsa')
  })

  it('is published as JWKs with no private member (RFC 7517 §4, RFC 7518 §6.3)', () => {
    const text = `a:${today},b:${before}`
    const rsa = { kty: 'RSA', n: expect.stringMatching(/^[A-Za-z0-9_-]{342}$/), e: 'AQAB', alg: 'RS256', use: 'sig' }
    expect(readPublicJwks(text)).toEqual([
      { ...rsa, kid: 'a' },
      { ...rsa, kid: 'b' },
    ])
  })
})
