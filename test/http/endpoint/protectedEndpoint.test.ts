import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { BillingError } from '../../../lib/billing/errors.ts'
import { securityHeaders } from '../../../lib/http/answer/answer.ts'
import type { ContractAnswer } from '../../../lib/http/answer/contractAnswer.ts'
import { protectedEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { laxBoolean, nullAsAbsent, organizationId } from '../../../lib/http/schema.ts'
import { errorBody } from '../../support/errorBody.ts'
import { call, fakeDeps, identity, json, signedIn } from '../call.ts'

const id = '1b4e28ba-2fa1-4d2b-883f-0016d3cca427'
const other = '9c858901-8a57-4791-81fe-4c455b099bc9'
const contract = {
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    product: z.enum(['ota', 'monitoring']),
    at_period_end: z.prefault(laxBoolean(), true),
    note: nullAsAbsent(z.string()),
  }),
  responses: { 200: z.unknown() },
}
const good = { query: `organization_id=${id}`, headers: { ...signedIn, ...json }, body: '{"product":"ota"}' }
const missingBody = { loc: ['body'], msg: 'Field required', type: 'missing' }
const notAnObject = {
  loc: ['body'],
  msg: 'Input should be a valid dictionary or object to extract fields from',
  type: 'model_attributes_type',
}
const brokenAt = (position: number) => ({ loc: ['body', position], msg: 'JSON decode error', type: 'json_invalid' })

/** An endpoint that answers the request as its handler receives it, or what `answer` returns. */
function endpoint(answer?: () => Promise<ContractAnswer<typeof contract>>) {
  const { deps, lines, seen } = fakeDeps()
  const handled: unknown[] = []
  const handler = protectedEndpoint(contract, deps, async (request) => {
    handled.push(request)
    return answer ? answer() : { status: 200, body: request, headers: { 'x-more': 'yes' } }
  })
  return { handler, lines, seen, handled }
}

describe('A protected endpoint', () => {
  describe('Given a good request', () => {
    // [asvs 14.3.2]
    it('passes the caller and the validated parts to the handler, and answers JSON that is not to be cached', async () => {
      const { handler, seen, lines } = endpoint()
      const answer = await call(handler, good)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        caller: identity,
        language: 'en',
        wantsLines: false,
        query: { organization_id: id },
        body: { product: 'ota', at_period_end: true },
      })
      expect(answer.headers).toEqual({
        'content-type': 'application/json',
        ...securityHeaders,
        vary: 'Origin',
        'x-more': 'yes',
        'x-request-id': 'request',
      })
      expect(seen.syncs).toBe(1)
      expect(lines).toEqual([])
    })

    it.each([
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json ;x=y',
      'application/merge-patch+json',
    ])('reads a body sent as %s', async (type) => {
      const { handler } = endpoint()
      expect((await call(handler, { ...good, headers: { ...signedIn, 'Content-Type': type } })).status).toBe(200)
    })

    it('reads base64, a byte order mark, a null option and an encoded query', async () => {
      const { handler } = endpoint()
      const body = Buffer.from('\uFEFF{"product":"ota","note":null,"at_period_end":"off"}').toString('base64')
      const answer = await call(handler, {
        ...good,
        query: `organization%5Fid=%7B${id}%7D&x=1&x=2`,
        body,
        isBase64Encoded: true,
      })
      expect(answer.body).toMatchObject({
        query: { organization_id: id },
        body: { product: 'ota', at_period_end: false },
      })
    })
  })

  describe('Given no valid access token', () => {
    it.each([
      [undefined, 'Bearer'],
      ['', 'Bearer'],
      ['Basic Z29vZA==', 'Bearer'],
      ['Bearer', 'Bearer error="invalid_token"'],
      ['Bearer forged', 'Bearer error="invalid_token"'],
      [`${signedIn.authorization},${signedIn.authorization}`, 'Bearer error="invalid_token"'],
      [`${signedIn.authorization} ${signedIn.authorization}`, 'Bearer error="invalid_token"'],
    ])('answers 401 to %j before it reads anything else', async (authorization, challenge) => {
      const { handler, handled } = endpoint()
      const headers = { ...json, ...(authorization !== undefined && { authorization }) }
      const answer = await call(handler, {
        headers,
        query: 'access_token=good.access-token',
        body: `{${'x'.repeat(40_000)}`,
      })
      expect(answer).toEqual({
        status: 401,
        body: errorBody('Unauthorized', challenge === 'Bearer' ? 'unauthorized' : 'invalid_token'),
        headers: {
          'content-type': 'application/json',
          ...securityHeaders,
          vary: 'Origin',
          'www-authenticate': challenge,
          'x-request-id': 'request',
        },
      })
      expect(handled).toEqual([])
    })

    it('ignores the case of the scheme', async () => {
      const { handler } = endpoint()
      const headers = { ...json, Authorization: signedIn.authorization.replace('Bearer', 'bEARER') }
      expect((await call(handler, { ...good, headers })).status).toBe(200)
    })
  })

  describe('Given a bad query', () => {
    it.each([
      ['', 'missing', 'Field required'],
      ['ORGANIZATION_ID=x', 'missing', 'Field required'],
      ['organization_id', 'uuid_parsing', /^Input should be a valid UUID, /],
      ['organization_id=', 'uuid_parsing', /^Input should be a valid UUID, /],
      ['organization_id=%FF%zz', 'uuid_parsing', /^Input should be a valid UUID, /],
      [`organization_id=${id}&organization_id=${other}`, 'uuid_parsing', /^Input should be a valid UUID, /],
      [`organization_id=${id}&organization_id=${id}`, 'uuid_parsing', /^Input should be a valid UUID, /],
      [`organization_id=&organization_id=${id}`, 'uuid_parsing', /^Input should be a valid UUID, /],
    ])('answers 422 to ?%s', async (query, type, msg) => {
      const { handler, handled } = endpoint()
      const answer = await call(handler, { ...good, query })
      expect(answer.status).toBe(422)
      const expected = typeof msg === 'string' ? msg : expect.stringMatching(msg)
      expect(answer.body).toEqual({ detail: [{ loc: ['query', 'organization_id'], msg: expected, type }] })
      expect(handled).toEqual([])
    })

    it('lists the problems of the query before those of the body', async () => {
      const { handler } = endpoint()
      const answer = await call(handler, { ...good, query: '', body: '{"at_period_end":7}' })
      expect(answer.body).toEqual({
        detail: [
          { loc: ['query', 'organization_id'], msg: 'Field required', type: 'missing' },
          { loc: ['body', 'product'], msg: 'Field required', type: 'missing' },
          {
            loc: ['body', 'at_period_end'],
            msg: 'Input should be a valid boolean, unable to interpret input',
            type: 'bool_parsing',
          },
        ],
      })
    })
  })

  describe('Given a bad body', () => {
    it.each([
      ['no body', undefined, 'application/json', missingBody],
      ['no bytes of no type', '', undefined, missingBody],
      ['JSON null', 'null', 'application/json', missingBody],
      ['a JSON list', '[]', 'application/json', notAnObject],
      ['text', good.body, 'text/plain', notAnObject],
      ['text/json', good.body, 'text/json', notAnObject],
      ['a form', 'product=ota', 'application/x-www-form-urlencoded', notAnObject],
      ['two content types', good.body, 'application/json,text/plain', notAnObject],
      ['JSON of no type', good.body, undefined, notAnObject],
    ])('answers 422 to %s', async (_, body, type, problem) => {
      const { handler } = endpoint()
      const headers = { ...signedIn, ...(type !== undefined && { 'content-type': type }) }
      const answer = await call(handler, { ...good, headers, body })
      expect(answer).toMatchObject({ status: 422, body: { detail: [problem] } })
    })

    // [asvs 15.3.3 15.3.6]
    it('refuses each unknown member after the problems of the known ones, also one with the name of an inherited one', async () => {
      const { handler, handled } = endpoint()
      const body = '{"notes":"a","at_period_end":7,"__proto__":{"note":"b"},"constructor":{"prototype":1}}'
      const extra = (name: string) => ({
        loc: ['body', name],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      })
      expect((await call(handler, { ...good, body })).body).toEqual({
        detail: [
          { loc: ['body', 'product'], msg: 'Field required', type: 'missing' },
          {
            loc: ['body', 'at_period_end'],
            msg: 'Input should be a valid boolean, unable to interpret input',
            type: 'bool_parsing',
          },
          extra('notes'),
          extra('__proto__'),
          extra('constructor'),
        ],
      })
      expect(handled).toEqual([])
    })

    const deep = '['.repeat(16_000) + ']'.repeat(16_000)
    // [catch readJsonBody.before]
    it.each([
      ['a bare key', '{a:1}', 1],
      ['a blank', ' ', 1],
      ['a trailing comma', '{"a":1,}', 7],
      ['a second value', '{"a":1}x', 7],
      ['NaN', '{"at_period_end":NaN}', 21],
      ['a lone surrogate', '{"note":"\\ud800"}', 17],
      ['a lone surrogate beside __proto__', '{"note":"\\ud800","__proto__":1}', 31],
      ['a lone surrogate as a key', '{"\\udfff":1}', 12],
      ['deep nesting', deep, 32_000],
    ])('answers 422 json_invalid alone to %s', async (_, body, position) => {
      const { handler } = endpoint()
      const answer = await call(handler, { ...good, query: '', body })
      expect(answer).toMatchObject({ status: 422, body: { detail: [brokenAt(position)] } })
    })

    // [catch readJsonBody.decode]
    it('answers 422 json_invalid to bytes that are not UTF-8', async () => {
      const { handler } = endpoint()
      const body = Buffer.from([0x22, 0xff, 0x22]).toString('base64')
      expect((await call(handler, { ...good, body, isBase64Encoded: true })).body).toEqual({ detail: [brokenAt(3)] })
    })

    // [asvs 4.2.1]
    it('accepts 32 KiB and answers 413 to a byte more, counted in bytes and before decoding', async () => {
      const { handler } = endpoint()
      const filled = (bytes: number) => `${good.body}${' '.repeat(bytes - good.body.length)}`
      const wide = `"${'é'.repeat(16_384)}"`
      expect((await call(handler, { ...good, body: filled(32_768) })).status).toBe(200)
      for (const body of [filled(32_769), wide, Buffer.from(wide).toString('base64')]) {
        const answer = await call(handler, { ...good, body, query: '', isBase64Encoded: !/["]/.test(body) })
        expect(answer).toMatchObject({
          status: 413,
          body: errorBody('The request body is larger than 32 KiB', 'payload_too_large'),
        })
      }
    })
  })

  describe('Given a contract without a body', () => {
    it('does not parse a body, but limits its size', async () => {
      const { deps } = fakeDeps()
      const handler = protectedEndpoint({ responses: { 200: z.unknown() } }, deps, async ({ query, body }) => ({
        status: 200,
        body: { query: query === undefined, body: body === undefined },
      }))
      expect((await call(handler, { ...good, body: '{broken' })).body).toEqual({ query: true, body: true })
      expect((await call(handler, { ...good, body: 'x'.repeat(32_769) })).status).toBe(413)
    })
  })

  describe('Given a handler that fails', () => {
    // [asvs 16.3.2]
    it('answers a refusal from the table and logs its reason', async () => {
      const { handler, lines } = endpoint(async () => {
        throw new BillingError('not_subscribed', { message: 'no row' })
      })
      expect(await call(handler, good)).toMatchObject({
        status: 404,
        body: errorBody('Subscription not found', 'not_subscribed'),
      })
      expect(lines).toEqual([
        {
          level: 'info',
          message: 'Request refused',
          fields: { code: 'not_subscribed', status: 404, reason: 'no row' },
        },
      ])
    })

    // [asvs 16.3.4]
    it('answers 500 to any other error, and logs one line that holds nothing of the request', async () => {
      const { handler, lines } = endpoint(async () => {
        throw new TypeError('no such thing')
      })
      const answer = await call(handler, { ...good, body: '{"product":"ota","note":"private"}' })
      expect(answer).toMatchObject({ status: 500, body: errorBody('Internal Server Error', 'internal_error') })
      expect(lines).toMatchObject([
        {
          level: 'error',
          message: 'Request failed',
          fields: { name: 'TypeError', stack: expect.stringContaining('protectedEndpoint.test') },
        },
      ])
      expect(JSON.stringify(lines)).not.toMatch(/private|good\.access-token|no such thing/)
    })

    it('answers 503 shortly before the function runs out of time', async () => {
      const { handler } = endpoint(() => new Promise(() => {}))
      const answer = await call(handler, good, 220)
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    })
  })
})
