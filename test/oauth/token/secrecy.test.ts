import { describe, expect, it } from '@jest/globals'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { issueCode, register, requestToken, SECRET, signIn, tokensIn, VERIFIER } from './tokenRequests.ts'

const stack = useAccountsStack()

describe('Secrets, codes and tokens', () => {
  // [asvs 6.5.2 11.4.1]
  it('are stored as SHA-256 digests only, and never logged', async () => {
    const registered = await register(stack())
    const request = await issueCode(stack(), registered)
    const first = tokensIn(await requestToken(stack(), request))
    const refresh = { ...registered.credentials, grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const second = tokensIn(await requestToken(stack(), refresh))
    await requestToken(stack(), { ...request, client_secret: 'wrong-secret' })
    await requestToken(stack(), { ...request, code_verifier: VERIFIER })
    await requestToken(stack(), refresh)
    stack().kms.fail({ operation: 'Sign', times: 3, kind: 'error' })
    const lost = await issueCode(stack(), registered)
    await requestToken(stack(), lost)

    const atRest = JSON.stringify(await stack().stored())
    const logged = stack().logged()
    for (const digested of [SECRET, request.code, lost.code, first.refresh_token, second.refresh_token]) {
      expect(atRest).toContain(digestSecret(digested))
      expect(atRest).not.toContain(digested)
      expect(logged).not.toContain(digested)
      expect(logged).not.toContain(digestSecret(digested))
    }
    for (const secret of [first.access_token, second.access_token, VERIFIER, 'wrong-secret']) {
      expect(atRest).not.toContain(secret)
      expect(logged).not.toContain(secret)
    }
    const [user] = (await stack().stored()).filter(({ id }) => id === registered.userId)
    expect(user).toMatchObject({ email: expect.stringContaining('@') })
    expect(logged).not.toContain(user?.email)
    expect(logged).not.toContain(user?.username)
  })

  // [asvs 16.3.3]
  it('are logged by family and reason when the family is revoked', async () => {
    const { refresh } = await signIn(stack(), await register(stack()))
    await requestToken(stack(), refresh)
    stack().advance(60)
    await requestToken(stack(), refresh)
    const lines = stack()
      .logged()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line))
    const revocation = { level: 'WARN', message: 'Token family revoked', reason: 'refresh token used again' }
    const token = await stack().refreshTokens.find(digestSecret(refresh.refresh_token))
    expect(lines).toContainEqual(
      expect.objectContaining({ ...revocation, familyId: token?.familyId, service: 'console-backend' }),
    )
  })
})
