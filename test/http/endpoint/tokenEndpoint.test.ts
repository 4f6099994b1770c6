import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { CommonError } from '../../../lib/core/errors.ts'
import { tokenEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { nullAsAbsent } from '../../../lib/http/schema.ts'
import { OAuthError } from '../../../lib/oauth/errors.ts'
import { errorBody } from '../../support/errorBody.ts'
import { call, fakeDeps, json } from '../call.ts'

const contract = {
  body: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    grant_type: z.string(),
    code: nullAsAbsent(z.string()),
  }),
  responses: { 200: z.unknown() },
}
const form = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const credentials = { client_id: 'console', client_secret: 'shh' }
const refusal = (error: string, description: string) => ({
  error,
  error_description: description,
  ...errorBody(description, error),
})
const wrongClient = refusal('invalid_client', 'Client authentication failed')

/** An endpoint that answers the body that its handler receives, or fails with `failure`. */
function endpoint(failure?: Error) {
  const { deps, lines } = fakeDeps()
  const handler = tokenEndpoint(contract, deps, async ({ body }) => {
    if (failure) throw failure
    return { status: 200, body }
  })
  return { handler, lines }
}

describe('The token endpoint', () => {
  describe('Given a JSON body', () => {
    it('takes the credentials from the body', async () => {
      const { handler } = endpoint()
      const body = JSON.stringify({ ...credentials, grant_type: 'x', code: null, more: 1 })
      expect(await call(handler, { headers: json, body })).toMatchObject({
        status: 200,
        body: { ...credentials, grant_type: 'x' },
        headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
      })
    })

    it('answers 422 to missing and ill-typed members, with HTTP Basic or without', async () => {
      const { handler } = endpoint()
      const headers = { ...json, ...basic('console', 'shh') }
      expect(await call(handler, { headers, body: '{"client_id":1,"grant_type":"x"}' })).toMatchObject({
        status: 422,
        body: {
          detail: [
            { loc: ['body', 'client_id'], msg: 'Input should be a valid string', type: 'string_type' },
            { loc: ['body', 'client_secret'], msg: 'Field required', type: 'missing' },
          ],
        },
      })
    })
  })

  describe('Given a form body', () => {
    it.each([
      ['credentials in it', {}, 'client_id=console&client_secret=shh&'],
      ['HTTP Basic', basic('console', 'shh'), ''],
      ['HTTP Basic, form-encoded', basic('%63onsole', '%73hh'), ''],
      [
        'HTTP Basic in another case',
        { Authorization: basic('console', 'shh').authorization.replace('Basic', 'bASIC') },
        '',
      ],
      ['HTTP Basic and the same client_id', basic('console', 'shh'), 'client_id=console&client_secret=&'],
    ])('takes %s', async (_, headers, fields) => {
      const { handler } = endpoint()
      const body = `${fields}grant_type=a%20b+c&code=&resource=1&resource=2`
      expect(await call(handler, { headers: { ...form, ...headers }, body })).toMatchObject({
        status: 200,
        body: { ...credentials, grant_type: 'a b c' },
      })
    })

    it('takes HTTP Basic with an empty secret, of a client that has none', async () => {
      const { handler } = endpoint()
      const headers = { ...form, ...basic('console', '') }
      expect(await call(handler, { headers, body: 'grant_type=x' })).toMatchObject({
        status: 200,
        body: { client_id: 'console', client_secret: '' },
      })
    })

    it('splits Basic credentials at the first colon, before it decodes them', async () => {
      const { handler } = endpoint()
      const headers = { ...form, ...basic('con%3Asole', 's:h+h%2B') }
      expect((await call(handler, { headers, body: 'grant_type=x' })).body).toMatchObject({
        client_id: 'con:sole',
        client_secret: 's:h h+',
      })
    })

    it('reads base64', async () => {
      const { handler } = endpoint()
      const body = Buffer.from('client_id=console&client_secret=shh&grant_type=x').toString('base64')
      expect((await call(handler, { headers: form, body, isBase64Encoded: true })).status).toBe(200)
    })

    it.each(['', '&client_secret='])(
      'passes on the secret that %p leaves out as empty, for its 401',
      async (secret) => {
        const { handler } = endpoint()
        const answer = await call(handler, { headers: form, body: `client_id=console&grant_type=x${secret}` })
        expect(answer).toMatchObject({ status: 200, body: { client_id: 'console', client_secret: '' } })
      },
    )

    // [catch endpoint.validatedForm]
    it.each([
      ['no fields', {}, '', 'client_id is missing'],
      ['no credentials', {}, 'grant_type=x', 'client_id is missing'],
      ['an empty grant_type', {}, 'client_id=console&client_secret=shh&grant_type=', 'grant_type is missing'],
      [
        'a repeated code',
        {},
        'client_id=console&client_secret=shh&grant_type=x&code=1&code=1',
        'code is repeated or malformed',
      ],
      [
        'a repeated code, once empty',
        {},
        'client_id=console&client_secret=shh&grant_type=x&code=&code=1',
        'code is repeated or malformed',
      ],
      [
        'a secret in header and body',
        basic('console', 'shh'),
        'client_secret=shh&grant_type=x',
        'client_secret is repeated or malformed',
      ],
      [
        'another client_id in the body',
        basic('console', 'shh'),
        'client_id=other&grant_type=x',
        'client_id is repeated or malformed',
      ],
      [
        'a repeated client_id beside Basic',
        basic('console', 'shh'),
        'client_id=console&client_id=console&grant_type=x',
        'client_id is repeated or malformed',
      ],
    ])('answers 400 invalid_request to %s, and names the parameter', async (_, headers, body, fault) => {
      const { handler } = endpoint()
      const answer = await call(handler, { headers: { ...form, ...headers }, body })
      expect(answer).toMatchObject({ status: 400, body: refusal('invalid_request', `The parameter ${fault}`) })
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    })

    // [catch clientCredentials.formDecode]
    it.each([
      'Basic',
      'Basic ???',
      'Basic Y29uc29sZQ==',
      basic('', 'shh').authorization,
      basic('a', '%zz').authorization,
    ])('answers 401 invalid_client with a challenge to %s', async (authorization) => {
      const { handler } = endpoint()
      expect(await call(handler, { headers: { ...form, authorization }, body: 'grant_type=x' })).toMatchObject({
        status: 401,
        body: wrongClient,
        headers: { 'www-authenticate': 'Basic realm="oauth"' },
      })
    })
  })

  describe('Given another body', () => {
    it.each([
      ['text', { 'content-type': 'text/plain' }, 'grant_type=x', ['body'], 'model_attributes_type'],
      ['a body of no type', {}, 'grant_type=x', ['body'], 'model_attributes_type'],
      ['no body', {}, undefined, ['body'], 'missing'],
      ['broken JSON', json, '{', ['body', 1], 'json_invalid'],
    ])('answers 422 to %s', async (_, headers, body, loc, type) => {
      const { handler } = endpoint()
      expect(await call(handler, { headers, body })).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } })
    })

    it.each([json, form])('answers 413 as an OAuth error to a body over 32 KiB', async (headers) => {
      const { handler } = endpoint()
      const detail = 'The request body is larger than 32 KiB'
      expect(await call(handler, { headers, body: 'x'.repeat(32_769) })).toMatchObject({
        status: 413,
        body: { error: 'invalid_request', error_description: detail, ...errorBody(detail, 'payload_too_large') },
      })
    })
  })

  describe('Given a refusal', () => {
    const body = 'client_id=console&client_secret=shh&grant_type=x'

    it('answers invalid_client with a challenge only to HTTP Basic', async () => {
      const { handler } = endpoint(new OAuthError('invalid_client', { message: 'wrong secret' }))
      const tried = await call(handler, { headers: { ...form, ...basic('console', 'no') }, body: 'grant_type=x' })
      const untried = await call(handler, { headers: form, body })
      expect([tried.status, untried.status]).toEqual([401, 401])
      expect([tried.body, untried.body]).toEqual([wrongClient, wrongClient])
      expect(tried.headers).toHaveProperty('www-authenticate', 'Basic realm="oauth"')
      expect(untried.headers).not.toHaveProperty('www-authenticate')
    })

    it.each(['invalid_grant', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'] as const)(
      'answers 400 %s',
      async (code) => {
        const { handler } = endpoint(new OAuthError(code))
        const answer = await call(handler, { headers: { ...form, ...basic('console', 'shh') }, body: 'grant_type=x' })
        expect(answer).toMatchObject({ status: 400, body: { error: code } })
        expect(answer.headers).not.toHaveProperty('www-authenticate')
      },
    )

    it.each([
      [new CommonError('service_unavailable'), 503, 'temporarily_unavailable', 'service_unavailable'],
      [new Error('shh'), 500, 'server_error', 'internal_error'],
    ])(
      'answers a failure of the server, %s, with the members of RFC 6749 and those of every error',
      async (failure, status, error, code) => {
        const { handler } = endpoint(failure)
        const answer = await call(handler, { headers: form, body })
        expect(answer).toMatchObject({ status, body: { error, code } })
        expect(Object.keys(z.record(z.string(), z.string()).parse(answer.body))).toEqual([
          'error',
          'error_description',
          'detail',
          'code',
          'request_id',
        ])
      },
    )
  })
})
