import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { BillingError } from '../../../lib/billing/errors.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import type { RateWindow } from '../../../lib/core/rateLimits.ts'
import type { ContractAnswer } from '../../../lib/http/answer/contractAnswer.ts'
import type { HttpHandler } from '../../../lib/http/contract.ts'
import { protectedEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { errorBody } from '../../support/errorBody.ts'
import { call, fakeDeps, identity, json, signedIn } from '../call.ts'

const limit = { functionName: 'users-me', requests: 120, windowSeconds: 60, failMode: 'open' } as const
const contract = {
  query: z.object({ name: z.string() }),
  body: z.object({}),
  responses: { 200: z.unknown() },
}
const good = { query: 'name=x', headers: { ...signedIn, ...json }, body: '{}' }
const admitAll = async () => 119
const admitNone = async () => undefined
const storeUnavailable = () => Promise.reject(new CommonError('service_unavailable'))
const tooMany = { status: 429, body: errorBody('Too many requests', 'rate_limited'), headers: { 'retry-after': '60' } }

function sentAs(method: 'GET' | 'HEAD' | 'POST', handler: HttpHandler): HttpHandler {
  return (event, context) => {
    const { requestContext } = event
    return handler(
      { ...event, requestContext: { ...requestContext, http: { ...requestContext.http, method } } },
      context,
    )
  }
}

/** An endpoint that is limited by `admit` and answers by `handle`, with the order of their calls. */
function endpoint(
  method: 'GET' | 'HEAD' | 'POST',
  admit: () => Promise<number | undefined>,
  handle: () => Promise<ContractAnswer<typeof contract>> = async () => ({ status: 200, body: {} }),
  isCountedFirst = false,
) {
  const { deps, lines } = fakeDeps()
  const order: string[] = []
  const windows: RateWindow[] = []
  const rateLimits = {
    admit: async (window: RateWindow) => {
      windows.push(window)
      order.push('check started')
      const admitted = await admit()
      order.push('check done')
      return admitted
    },
  }
  const handler = protectedEndpoint(
    contract,
    { ...deps, rateLimit: { limit, rateLimits }, isCountedFirst },
    async () => {
      order.push('handled')
      return handle()
    },
  )
  return { handler: sentAs(method, handler), order, windows, lines }
}

const slowly = (admitted: boolean) => () =>
  new Promise<number | undefined>((resolve) => setTimeout(resolve, 20, admitted ? 119 : undefined))

describe('A rate-limited endpoint', () => {
  it('counts once, for the signed-in user and the window of the service’s clock', async () => {
    const { handler, windows } = endpoint('GET', admitAll)
    expect((await call(handler, good)).status).toBe(200)
    expect(windows).toEqual([{ functionName: 'users-me', principal: identity.userId, startsAt: 0, endsAt: 60 }])
  })

  it('counts nothing for a request without a valid token', async () => {
    const { handler, windows } = endpoint('GET', admitNone)
    expect((await call(handler, { ...good, headers: {} })).status).toBe(401)
    expect(windows).toEqual([])
  })

  describe('Given a GET', () => {
    it.each(['GET', 'HEAD'] as const)('%s reads during the check, and answers when both are done', async (method) => {
      const { handler, order } = endpoint(method, slowly(true))
      expect((await call(handler, good)).status).toBe(200)
      expect(order).toEqual(['check started', 'handled', 'check done'])
    })

    // [catch rateLimit.onError]
    it.each([
      ['what it has read', async () => ({ status: 200 as const, body: { secret: 1 } })],
      ['its refusal', () => Promise.reject(new BillingError('not_subscribed'))],
      ['its failure', () => Promise.reject(new Error('broken'))],
    ])('answers 429 instead of %s where the limit is exceeded', async (_, handle) => {
      const { handler, order } = endpoint('GET', slowly(false), handle)
      expect(await call(handler, good)).toMatchObject(tooMany)
      expect(order).toContain('handled')
    })
  })

  it('counts a GET that asks the payment gateway first, and handles none that is refused', async () => {
    for (const admitted of [true, false]) {
      const { handler, order } = endpoint('GET', slowly(admitted), undefined, true)
      expect((await call(handler, good)).status).toBe(admitted ? 200 : 429)
      expect(order).toEqual(['check started', 'check done', ...(admitted ? ['handled'] : [])])
    }
  })

  // [catch rateLimit.before]
  it('handles a refusal that comes before its GET has read, so that no rejection is unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const reading = () =>
      new Promise<ContractAnswer<typeof contract>>((resolve) => setTimeout(resolve, 20, { status: 200, body: {} }))
    expect(await call(endpoint('GET', admitNone, reading).handler, good)).toMatchObject(tooMany)
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  describe('Given another method', () => {
    it('handles nothing before the check is done', async () => {
      const { handler, order } = endpoint('POST', slowly(true))
      expect((await call(handler, good)).status).toBe(200)
      expect(order).toEqual(['check started', 'check done', 'handled'])
    })

    it('handles nothing where the limit is exceeded', async () => {
      const { handler, order } = endpoint('POST', slowly(false))
      expect(await call(handler, good)).toMatchObject(tooMany)
      expect(order).toEqual(['check started', 'check done'])
    })
  })

  describe.each(['GET', 'POST'] as const)('Given a %s that is wrong as well', (method) => {
    it.each([
      ['an ill-formed query', { ...good, query: '' }],
      ['broken JSON', { ...good, body: '{' }],
      ['a body over 32 KiB', { ...good, body: 'x'.repeat(32_769) }],
    ])('answers 429 before it validates %s', async (_, sent) => {
      expect(await call(endpoint(method, slowly(false)).handler, sent)).toMatchObject(tooMany)
      expect([413, 422]).toContain((await call(endpoint(method, slowly(true)).handler, sent)).status)
    })
  })

  // https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
  describe.each(['GET', 'POST'] as const)('Given a %s that is counted', (method) => {
    const policy = { 'ratelimit-policy': '"operation";q=120;w=60' }
    const served = async () => ({ status: 200 as const, body: {} })

    it.each([
      ['serves it', 200, served],
      ['refuses it', 404, () => Promise.reject(new BillingError('not_subscribed'))],
      ['fails', 500, () => Promise.reject(new Error('broken'))],
    ])('tells what is left of the limit if the handler %s', async (_, status, handle) => {
      const answer = await call(endpoint(method, slowly(true), handle).handler, good)
      expect(answer).toMatchObject({ status, headers: { ...policy, ratelimit: '"operation";r=119;t=60' } })
    })

    it('tells with 429 that nothing is left, and when the next window begins', async () => {
      const answer = await call(endpoint(method, slowly(false)).handler, good)
      const headers = { ...policy, ratelimit: '"operation";r=0;t=60', 'retry-after': '60' }
      expect(answer).toMatchObject({ status: 429, headers })
    })

    it('tells nothing if the request could not be counted, or was not', async () => {
      const uncounted = await call(endpoint(method, storeUnavailable).handler, good)
      const anonymous = await call(endpoint(method, admitAll).handler, { ...good, headers: {} })
      for (const { headers } of [uncounted, anonymous]) expect(Object.keys(headers).join()).not.toContain('ratelimit')
    })
  })

  // [catch rateLimit.requireAdmission]
  it.each(['GET', 'POST'] as const)(
    'serves a %s while the store is unavailable, and logs a warning',
    async (method) => {
      const { handler, lines } = endpoint(method, storeUnavailable)
      expect((await call(handler, good)).status).toBe(200)
      expect(lines).toEqual([
        {
          level: 'warn',
          message: 'Rate limit not checked',
          fields: { functionName: 'users-me', reason: 'service_unavailable' },
        },
      ])
    },
  )
})
