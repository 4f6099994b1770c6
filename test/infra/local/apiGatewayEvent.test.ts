import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { apiGatewayEvent } from '../../../infra/local/http/apiGatewayEvent.ts'

const fixtures = z
  .array(
    z.object({
      rule: z.string(),
      request: z.object({
        method: z.string(),
        url: z.string(),
        headers: z.array(z.tuple([z.string(), z.string()])),
        body: z.string().transform((text) => Buffer.from(text)),
        sourceIp: z.string(),
        time: z.number(),
        requestId: z.string(),
      }),
      route: z.object({
        kind: z.enum(['http', 'url']),
        routeKey: z.string(),
        pathParameters: z.record(z.string(), z.string()).exactOptional(),
      }),
      event: z.unknown(),
    }),
  )
  .parse(JSON.parse(await readFile(new URL('./fixtures/apiGatewayEvents.json', import.meta.url), 'utf8')))

describe('An event of payload format 2.0', () => {
  it.each(fixtures)('$rule', ({ request, route, event }) => {
    expect(apiGatewayEvent(request, route)).toStrictEqual(event)
  })
})
