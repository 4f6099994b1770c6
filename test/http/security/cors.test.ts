import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { BillingError } from '../../../lib/billing/errors.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import { html } from '../../../lib/core/html.ts'
import type { HttpDeps, HttpHandler } from '../../../lib/http/contract.ts'
import {
  anonymousEndpoint,
  protectedEndpoint,
  rawEndpoint,
  tokenEndpoint,
} from '../../../lib/http/endpoint/endpoint.ts'
import { RateLimitedError } from '../../../lib/http/errors.ts'
import { preflightHeaders } from '../../../lib/http/security/cors.ts'
import { page } from '../../../lib/pages/kit/page.ts'
import { pageAnswer } from '../../../lib/pages/kit/pageAnswer.ts'
import { pageEndpoint } from '../../../lib/pages/kit/pageEndpoint.ts'
import { plainBranding } from '../../support/branding.ts'
import { call, eventOf, fakeDeps, json, lambdaContext, signedIn } from '../call.ts'

const origin = 'https://console.example.com'
const exposed =
  'Deprecation, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, x-request-id'
const readable = { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'Origin' }

const contract = {
  body: z.object({ name: z.string() }),
  responses: { 200: z.object({ done: z.literal(true) }) },
} as const
const body = '{"name":"a"}'

type Work = () => Promise<{ status: 200; body: { done: true } }>
const done: Work = async () => ({ status: 200, body: { done: true } })
const fail = (error: Error): Work => {
  return () => Promise.reject(error)
}

const kinds: readonly (readonly [string, (deps: HttpDeps, work: Work) => HttpHandler])[] = [
  ['protected', (deps, work) => protectedEndpoint(contract, deps, work)],
  ['anonymous', (deps, work) => anonymousEndpoint(contract, deps, work)],
  [
    'token',
    (deps, work) =>
      tokenEndpoint({ ...contract, body: z.object({ client_id: z.string(), client_secret: z.string() }) }, deps, work),
  ],
]

const corsOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'))

const credentials = '{"name":"a","client_id":"a","client_secret":"b"}'

describe.each(kinds)('A %s endpoint', (kind, endpoint) => {
  const sent = kind === 'token' ? credentials : body
  const request = { headers: { ...json, ...signedIn, Origin: origin }, body: sent }

  // [asvs 3.4.2]
  it('lets a page of a client’s origin read its answer and the headers that the page needs, without credentials', async () => {
    const { headers, status } = await call(endpoint(fakeDeps().deps, done), request)
    expect([status, corsOf(headers)]).toEqual([200, readable])
  })

  it.each([
    [402, new BillingError('card_declined')],
    [429, new RateLimitedError({ retryAfterSeconds: 7 })],
    [500, new Error('a fault')],
    [503, new CommonError('service_unavailable')],
  ])('lets it read %i, too', async (status, error) => {
    const answer = await call(endpoint(fakeDeps().deps, fail(error)), request)
    expect([answer.status, corsOf(answer.headers)]).toEqual([status, readable])
  })

  it('lets it read 422, 413 and 503 of a function that is out of time, too', async () => {
    const handler = endpoint(fakeDeps().deps, done)
    const wrong = await call(handler, { ...request, body: '{}' })
    const large = await call(handler, { ...request, body: 'x'.repeat(33 * 1024) })
    const late = await call(
      endpoint(fakeDeps().deps, () => new Promise(() => {})),
      request,
      220,
    )
    expect([wrong, large, late].map(({ status, headers }) => [status, corsOf(headers)])).toEqual([
      [422, readable],
      [413, readable],
      [503, readable],
    ])
  })

  // [asvs 3.4.2]
  it.each(['https://evil.example.com', 'null', 'https://console.example.com.evil.example.com'])(
    'lets no page of %s read anything',
    async (other) => {
      const { deps } = fakeDeps()
      const { headers } = await call(endpoint(deps, done), {
        ...request,
        headers: { ...request.headers, Origin: other },
      })
      expect(corsOf(headers)).toEqual({ vary: 'Origin' })
    },
  )

  it('asks nothing about origins for a request that no page sent', async () => {
    const { deps } = fakeDeps()
    const asked: string[] = []
    const allowsOrigin = async (one: string) => asked.push(one) > 0
    const handler = endpoint({ ...deps, allowsOrigin }, done)
    const { headers } = await call(handler, { headers: { ...json, ...signedIn }, body: sent })
    expect([asked, corsOf(headers)]).toEqual([[], { vary: 'Origin' }])
  })

  it('does its own work beside the question, not after it', async () => {
    const { deps } = fakeDeps()
    const { promise: worked, resolve } = Promise.withResolvers<boolean>()
    const handler = endpoint({ ...deps, allowsOrigin: () => worked }, async () => {
      resolve(true)
      return done()
    })
    expect(corsOf((await call(handler, request)).headers)).toEqual(readable)
  })
})

describe('A protected endpoint without a token', () => {
  it('lets a page of a client’s origin read 401 and its challenge', async () => {
    const handler = protectedEndpoint(contract, fakeDeps().deps, done)
    const { status, headers } = await call(handler, { headers: { ...json, origin }, body })
    expect(status).toBe(401)
    expect(headers).toMatchObject({ ...readable, 'www-authenticate': 'Bearer' })
  })
})

describe('An endpoint that no page of another origin may read', () => {
  it.each([
    [
      'a hosted page',
      pageEndpoint({ ...fakeDeps().deps, branding: plainBranding }, async (_, look) =>
        pageAnswer(look, { status: 200, page: page(look, { title: 'Hello', body: html`<p>` }) }),
      ),
    ],
    [
      'a hosted page that fails',
      pageEndpoint({ ...fakeDeps().deps, branding: plainBranding }, () => Promise.reject(new Error('a fault'))),
    ],
    ['the webhook', rawEndpoint(contract, fakeDeps().deps, done)],
  ])('says nothing of origins: %s', async (_, handler) => {
    const result = await handler(eventOf({ headers: { origin } }), lambdaContext)
    expect(corsOf(result.headers ?? {})).toEqual({})
  })
})

describe('A public document', () => {
  it('may be read by every page, and does not depend on who asks', async () => {
    const handler = rawEndpoint(contract, { ...fakeDeps().deps, readers: 'any' }, done)
    for (const headers of [{}, { origin: 'https://anywhere.example.com' }]) {
      expect(corsOf((await call(handler, { headers })).headers)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': exposed,
      })
    }
  })
})

describe('The answer to a preflight', () => {
  const ask = (one: string) =>
    preflightHeaders(fakeDeps().deps.allowsOrigin, { origin: one, methods: ['GET', 'PATCH'] })

  it('names the methods of the path and what a page may send, for ten minutes, and never credentials', async () => {
    expect(await ask(origin)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, PATCH',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })

  // [threat 37]
  it('allows nothing to another origin', async () => {
    expect(await ask('https://evil.example.com')).toEqual({ vary: 'Origin' })
  })
})
