import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { createAccessTokenVerifier } from '../../../lib/adapters/jose/accessTokenVerifier.ts'
import { AUDIENCE, ISSUER, TOKEN_KEY, useAccountsStack } from '../../support/accountsStack.ts'
import { register, requestToken, signIn, tokensIn } from './tokenRequests.ts'

const stack = useAccountsStack()
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('An access token', () => {
  // [asvs 11.2.3 13.3.3]
  it('is an RFC 9068 JWT signed with RS256 by the KMS key, for 15 minutes', async () => {
    const { userId, credentials } = await register(stack())
    const { tokens } = await signIn(stack(), { userId, credentials }, { scope: 'profile' })
    const key = createPublicKey({ key: Buffer.from(stack().publicKeySpki, 'base64'), format: 'der', type: 'spki' })
    const currentDate = new Date(stack().clock.now())
    const { protectedHeader, payload } = await jwtVerify(tokens.access_token, key, { currentDate })
    expect(protectedHeader).toEqual({ typ: 'at+jwt', alg: 'RS256', kid: TOKEN_KEY })
    const iat = stack().clock.now() / 1000
    expect(payload).toEqual({
      iss: ISSUER,
      sub: userId,
      aud: AUDIENCE,
      client_id: credentials.client_id,
      first_party: true,
      iat,
      exp: iat + 900,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      scope: 'profile',
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      rev: 0,
      auth_time: iat,
      amr: ['pwd'],
      acr: 'aal1',
    })
  })
})

describe('The access token verifier', () => {
  let token = ''
  const identity = async (candidate: string) => {
    const { publicKeySpki, clock } = stack()
    const publicKeys = `${TOKEN_KEY}:${publicKeySpki}`
    return createAccessTokenVerifier({ publicKeys, issuer: ISSUER, audience: AUDIENCE, clock }).verify(candidate)
  }
  beforeAll(async () => {
    token = (await signIn(stack(), await register(stack()))).tokens.access_token
  })

  it('returns until when the second factor of the sign-in is new, also after a refresh', async () => {
    const at = stack().clock.now()
    const authentication = { at, methods: ['pwd', 'otp', 'mfa'] as const, newFactorUntil: at + 86_400_000 }
    const { tokens, refresh } = await signIn(stack(), await register(stack()), {
      authentication: { ...authentication },
    })
    expect(await identity(tokens.access_token)).toMatchObject({ authentication })
    const refreshed = tokensIn(await requestToken(stack(), refresh))
    expect(await identity(refreshed.access_token)).toMatchObject({ authentication })
  })

  it('returns the identity in a genuine token until it expires', async () => {
    const { sub, client_id, sid, auth_time } = decodeJwt(token)
    expect(await identity(token)).toEqual({
      userId: sub,
      clientId: client_id,
      scope: '',
      isFirstParty: true,
      familyId: sid,
      securityRev: 0,
      authentication: { at: Number(auth_time) * 1000, methods: ['pwd'] },
    })
    const { tokens } = await signIn(stack(), await register(stack()))
    stack().advance(899)
    expect(await identity(tokens.access_token)).not.toBeNull()
    stack().advance(1)
    expect(await identity(tokens.access_token)).toBeNull()
    stack().advance(-900)
  })

  // [asvs 9.1.3] [catch accessTokenVerifier.readAnew]
  it('refuses what none of its keys has signed', async () => {
    const [header = '', payload = '', signature = ''] = token.split('.')
    const { publicKeySpki } = stack()
    const spki = Buffer.from(publicKeySpki, 'base64')
    const pem = createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' })
    const none = `${base64url({ ...decodeProtectedHeader(token), alg: 'none' })}.${payload}`
    const hs256 = `${base64url({ ...decodeProtectedHeader(token), alg: 'HS256' })}.${payload}`
    const hmac = (key: string | Buffer) => createHmac('sha256', key).update(hs256).digest('base64url')
    const forged = [
      `${none}.`,
      `${none}.${signature}`,
      `${hs256}.${hmac(pem)}`,
      `${hs256}.${hmac(spki)}`,
      `${hs256}.${hmac(publicKeySpki)}`,
      `${header}.${base64url({ ...decodeJwt(token), sub: stack().ids.uuid() })}.${signature}`,
      `${header}.${payload}.${'A'.repeat(342)}`,
      `${header}.${payload}`,
      'not a token',
      '',
    ]
    for (const candidate of forged) expect(await identity(candidate)).toBeNull()
  })

  describe('Given a key of its own', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const good = { typ: 'at+jwt', alg: 'RS256', kid: 'any' }
    const newVerifier = () =>
      createAccessTokenVerifier({
        publicKeys: `any:${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
        issuer: ISSUER,
        audience: AUDIENCE,
        clock: stack().clock,
      })
    const verify = (candidate: string) => newVerifier().verify(candidate)
    const sign = (changes: JWTPayload, header: Partial<typeof good> = good) =>
      new SignJWT({ ...decodeJwt(token), ...changes }).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)

    it('accepts what is signed with that key, and refuses what is signed with another', async () => {
      expect(await verify(await sign({}))).not.toBeNull()
      expect(await verify(token)).toBeNull()
    })

    it('verifies the signature of a token once, and still refuses the token when it has expired, or is altered', async () => {
      const verifier = newVerifier()
      const [mine, others] = [
        await sign({}),
        await Promise.all(Array.from({ length: 100 }, (_, n) => sign({ jti: `${n}` }))),
      ]
      using checks = jest.spyOn(crypto.subtle, 'verify')
      expect(await verifier.verify(mine)).toEqual(await verifier.verify(mine))
      expect(checks).toHaveBeenCalledTimes(1)
      expect(await verifier.verify(`${mine.slice(0, -1)}${mine.endsWith('A') ? 'Q' : 'A'}`)).toBeNull()
      for (const other of others) await verifier.verify(other)
      expect(await verifier.verify(mine)).not.toBeNull()
      expect(checks).toHaveBeenCalledTimes(103)
      stack().advance(900)
      expect(await verifier.verify(mine)).toBeNull()
      stack().advance(-900 - 61)
      expect(await verifier.verify(mine)).toBeNull()
      stack().advance(61)
    })

    it.each(['iss', 'sub', 'aud', 'client_id', 'iat', 'exp', 'jti', 'scope', 'sid', 'rev', 'auth_time', 'amr'])(
      'refuses a token without %s',
      async (claim) => {
        expect(await verify(await sign({ [claim]: undefined }))).toBeNull()
      },
    )

    it.each([
      { iss: 'https://evil.example.com' },
      { aud: 'https://other.example.com' },
      { sub: 'not-a-uuid' },
      { exp: 1 },
      { rev: '0' },
      { amr: ['guess'] },
      { first_party: 'true' },
      { first_party: false },
      { rev: -1 },
      { nbf: 4_000_000_000 },
    ])('refuses a token with %p', async (claims) => {
      expect(await verify(await sign(claims))).toBeNull()
    })

    it.each([
      ['another type', { typ: 'JWT', kid: 'any' }],
      ['no type', { kid: 'any' }],
      ['no kid', { typ: 'at+jwt' }],
    ])('refuses a token with %s', async (_, header) => {
      expect(await verify(await sign({}, header))).toBeNull()
    })
  })
})
