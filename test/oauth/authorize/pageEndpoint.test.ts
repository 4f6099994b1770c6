import { describe, expect, it } from '@jest/globals'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import * as z from 'zod'
import { CommonError } from '../../../lib/core/errors.ts'
import { seeOther } from '../../../lib/http/answer/answer.ts'
import type { HttpResult } from '../../../lib/http/contract.ts'
import { sourceIpOf } from '../../../lib/http/request/request.ts'
import { edgeHeaders } from '../../../lib/http/security/clientNetwork.ts'
import { pageEndpoint } from '../../../lib/pages/kit/pageEndpoint.ts'
import { fakeDeps } from '../../http/call.ts'
import { plainBranding } from '../../support/branding.ts'
import { textOf } from './page.ts'

const event = z.custom<APIGatewayProxyEventV2>().parse({
  rawQueryString: 'client_id=a"><script>',
  headers: {},
  requestContext: { requestId: 'request', http: { method: 'POST', sourceIp: '203.0.113.7' } },
})
const context = z.custom<Context>().parse({ awsRequestId: 'request', getRemainingTimeInMillis: () => 10_000 })

/** The answer to one request whose handler fails with `failure`, where `admitted` addresses may call. */
async function answerTo(failure: Error | undefined, admitted: readonly string[] = ['203.0.113.7']) {
  const { deps, lines } = fakeDeps()
  const rateLimits = {
    admit: async ({ principal }: { principal: string }) => (admitted.includes(principal) ? 9 : undefined),
  }
  const handle = async (): Promise<HttpResult> => {
    if (failure) throw failure
    return seeOther('?next')
  }
  const limit = { functionName: 'oauth-authorize-submit', requests: 120, windowSeconds: 60, failMode: 'open' } as const
  const {
    statusCode,
    headers = {},
    body = '',
  } = await pageEndpoint({ ...deps, branding: plainBranding, rateLimit: { limit, rateLimits } }, handle)(event, context)
  return { status: statusCode, headers, body, lines }
}

describe('An endpoint with pages', () => {
  it('returns its handler’s answer', async () => {
    expect(await answerTo(undefined)).toMatchObject({ status: 303, headers: { location: '?next' }, body: '' })
  })

  // [asvs 16.5.1]
  it.each([
    [new Error('secret'), 500, 'Something went wrong'],
    [new CommonError('service_unavailable', { message: 'secret' }), 503, 'Service unavailable'],
  ])('answers %s with a page that does not contain the failure', async (failure, status, title) => {
    const { body, headers, lines, ...answer } = await answerTo(failure)
    expect(answer.status).toBe(status)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(textOf(body)).toMatch(new RegExp(`^${title}`))
    expect(body).not.toContain('secret')
    expect(lines).toHaveLength(1)
  })

  // [asvs 4.1.3]
  it('counts the viewer of CloudFront where the request has its key, and else who sent it', async () => {
    const { deps } = fakeDeps()
    const counted: string[] = []
    const sourceIps: string[] = []
    const rateLimits = {
      admit: async ({ principal }: { principal: string }) => {
        counted.push(principal)
        return 0
      },
    }
    const limit = { functionName: 'oauth-authorize', requests: 1, windowSeconds: 60, failMode: 'open' } as const
    const handler = pageEndpoint(
      { ...deps, branding: plainBranding, rateLimit: { limit, rateLimits }, edgeKey: 'key' },
      async (handled) => {
        sourceIps.push(sourceIpOf(handled))
        return seeOther('?next')
      },
    )
    const viewer = { ...event.headers, [edgeHeaders.viewer]: '2001:db8:1:2::3' }
    await handler({ ...event, headers: { ...viewer, [edgeHeaders.key]: 'key' } }, context)
    await handler({ ...event, headers: { ...viewer, [edgeHeaders.key]: 'guessed' } }, context)
    expect(counted).toEqual(['2001:db8:1:2::/64', '203.0.113.7'])
    expect(sourceIps).toEqual(counted)
  })

  // [asvs 4.1.3]
  it.each([
    ['no key', {}],
    ['a guessed key', { [edgeHeaders.key]: 'guessed' }],
  ])(
    'refuses a request with %s where only CloudFront may call, before it counts or reads anything',
    async (_, sent) => {
      const { deps } = fakeDeps()
      const called: string[] = []
      const edge = { edgeKey: 'key', edgeOnly: true }
      const handler = pageEndpoint({ ...deps, branding: plainBranding, ...edge }, async () => {
        called.push('handle')
        return seeOther('?next')
      })
      const refused = await handler({ ...event, headers: { ...event.headers, ...sent } }, context)
      expect(refused).toMatchObject({ statusCode: 404 })
      expect(called).toEqual([])
      await handler({ ...event, headers: { ...event.headers, [edgeHeaders.key]: 'key' } }, context)
      expect(called).toEqual(['handle'])
    },
  )

  it('limits the rate of requests by their address, and says when to come back', async () => {
    const { status, headers, body } = await answerTo(undefined, ['203.0.113.8'])
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(textOf(body)).toMatch(/^Too many requests/)
  })

  it('links to the same request, escaped', async () => {
    const { body } = await answerTo(new Error('any'))
    expect(body).toContain('href="?client_id=a&quot;&gt;&lt;script&gt;"')
  })
})
