import { describe, expect, it } from '@jest/globals'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { issueCode, refusal, register, requestToken, SECRET, tokensIn, VERIFIER } from '../token/tokenRequests.ts'

const stack = useAccountsStack()
const s256 = { codeChallenge: challengeOf(VERIFIER), codeChallengeMethod: 'S256' }
const missingSecret = { detail: [{ loc: ['body', 'client_secret'], msg: 'Field required', type: 'missing' }] }

async function publicRequest() {
  const registered = await register(stack(), { isPublic: true })
  const { client_secret: _, ...request } = await issueCode(stack(), registered, s256)
  return { ...request, code_verifier: VERIFIER }
}

/** A request as JSON of any members. */
async function sendJson(body: unknown) {
  const response = await fetch(`${stack().baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

describe('POST /api/oauth/token from a public client', () => {
  describe('Given its client_id and PKCE', () => {
    it.each(['json', 'form'] as const)('gives tokens without a secret as %s, and with an empty one', async (as) => {
      tokensIn(await requestToken(stack(), await publicRequest(), as))
      tokensIn(await requestToken(stack(), { ...(await publicRequest()), client_secret: '' }, as))
    })

    it('gives tokens to a JSON request whose client_secret is null', async () => {
      expect((await sendJson({ ...(await publicRequest()), client_secret: null })).status).toBe(200)
    })

    it('rotates its refresh token, without a secret as well', async () => {
      const { client_id, ...request } = await publicRequest()
      const first = tokensIn(await requestToken(stack(), { client_id, ...request }))
      const refresh = { client_id, grant_type: 'refresh_token', refresh_token: first.refresh_token }
      expect(tokensIn(await requestToken(stack(), refresh)).refresh_token).not.toBe(first.refresh_token)
    })
  })

  describe('Given a secret', () => {
    it.each(['json', 'form', 'basic'] as const)('answers invalid_client as %s, because it has none', async (as) => {
      const request = { ...(await publicRequest()), client_secret: SECRET }
      expect(await requestToken(stack(), request, as)).toMatchObject(refusal('invalid_client'))
    })
  })

  describe('Given other fields that are missing', () => {
    it('lists them in JSON, and not the secret', async () => {
      const { client_id } = await publicRequest()
      const detail = [{ loc: ['body', 'grant_type'], msg: 'Field required', type: 'missing' }]
      expect(await sendJson({ client_id })).toEqual({ status: 422, body: { detail } })
    })
  })
})

describe('POST /api/oauth/token without a secret from any other client', () => {
  it('answers 422 in JSON, the same for a confidential client, an unknown one and a disabled one', async () => {
    const { credentials } = await register(stack())
    const off = (await register(stack(), { isPublic: true })).credentials.client_id
    const client = await stack().clients.find(off)
    if (client) await stack().clients.put({ ...client, disabled: true })
    for (const client_id of [credentials.client_id, 'unknown', 'not well-formed', off]) {
      const request = { client_id, grant_type: 'refresh_token' }
      expect(await sendJson(request)).toEqual({ status: 422, body: missingSecret })
    }
  })

  it.each([undefined, ''])(
    'answers invalid_client in a form with the secret %p (RFC 6749 §5.2)',
    async (client_secret) => {
      const { client_id } = (await register(stack())).credentials
      for (const id of [client_id, 'unknown']) {
        const request = {
          client_id: id,
          grant_type: 'refresh_token',
          ...(client_secret !== undefined && { client_secret }),
        }
        expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_client'))
      }
    },
  )

  it('lists all that is missing at once, in the order of the fields', async () => {
    const { credentials } = await register(stack())
    const { body } = await sendJson({ client_id: credentials.client_id })
    expect(body).toEqual({
      detail: [...missingSecret.detail, { loc: ['body', 'grant_type'], msg: 'Field required', type: 'missing' }],
    })
  })

  it('reads the store as often for an unknown client as for a known one, and not at all without a client_id', async () => {
    const { credentials } = await register(stack())
    const operations = async (body: unknown) => {
      stack().database.reset()
      await sendJson(body)
      return stack()
        .database.calls()
        .map(({ operation }) => operation)
    }
    expect(await operations({ client_id: credentials.client_id })).toEqual(['GetItem'])
    expect(await operations({ client_id: 'unknown' })).toEqual(['GetItem'])
    expect(await operations({ grant_type: 'refresh_token' })).toEqual([])
  })

  it('answers invalid_client to an empty secret in Basic, and 422 to one in JSON that is not a string', async () => {
    const { credentials } = await register(stack())
    expect(await requestToken(stack(), { ...credentials, client_secret: '', grant_type: 'x' }, 'basic')).toMatchObject(
      refusal('invalid_client'),
    )
    expect(await requestToken(stack(), { ...credentials, client_secret: '', grant_type: 'x' }, 'json')).toMatchObject(
      refusal('invalid_client'),
    )
    expect((await sendJson({ ...credentials, client_secret: 1, grant_type: 'x' })).status).toBe(422)
  })
})

describe('A client whose secret is rotated', () => {
  it('is authenticated by both secrets until one is retired', async () => {
    const registered = await register(stack())
    const { client_id } = registered.credentials
    const client = await stack().clients.find(client_id)
    if (!client) throw new Error('the client is not there')
    const next = 'another-secret_7Kd0qWf3Lm8zXc5Vb2Np'
    await stack().clients.put({ ...client, secretDigests: [digestSecret(next), digestSecret(SECRET)] })
    for (const client_secret of [SECRET, next]) {
      tokensIn(await requestToken(stack(), { ...(await issueCode(stack(), registered)), client_secret }))
    }
    await stack().clients.put({ ...client, secretDigests: [digestSecret(next)] })
    const old = await issueCode(stack(), registered)
    expect(await requestToken(stack(), old)).toMatchObject(refusal('invalid_client'))
    tokensIn(await requestToken(stack(), { ...old, client_secret: next }))
  })

  it('is answered like an unknown client while it is disabled, with the right secret too', async () => {
    const registered = await register(stack())
    const request = await issueCode(stack(), registered)
    const client = await stack().clients.find(request.client_id)
    if (!client) throw new Error('the client is not there')
    await stack().clients.put({ ...client, disabled: true })
    const { status, body } = await requestToken(stack(), request)
    expect({ status, body }).toMatchObject(refusal('invalid_client'))
    await expect(issueCode(stack(), registered)).rejects.toMatchObject({ code: 'unauthorized_client' })
  })
})
