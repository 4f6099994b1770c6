import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as z from 'zod'
import { createFollowedClock } from '../../../lib/adapters/clock/followedClock.ts'
import { systemClock } from '../../../lib/adapters/clock/systemClock.ts'
import type { FunctionRow } from '../../manifest.ts'
import { apiGatewayEvent } from '../http/apiGatewayEvent.ts'
import { findRow, matchApiRoute, matchUrl } from '../http/router.ts'
import type { LambdaEvent } from '../invokeFunction.ts'
import type { LocalClient } from '../localClient.ts'
import { scheduledEvent } from '../runSchedules.ts'
import { clockUrlOf } from '../settings.ts'
import { createPlaceholders } from './placeholders.ts'
import { defaultSample, type Sample, sampleOf } from './readSamples.ts'

/** When each sample was sent. */
const time = Date.UTC(2026, 0, 15, 9)
const sourceIp = '203.0.113.10'
const requestId = '00000000-0000-4000-8000-000000000000'

/**
 * The event of a sample with its placeholders, or of the function's default sample if none is named: what Lambda receives when API Gateway,
 * the Lambda URL or the schedule of the function's row calls it.
 * @throws an Error when there is no such sample, or when its request does not reach the function
 */
export function sampleEvent(functionName: string, name = defaultSample(functionName)): LambdaEvent {
  const row = findRow(functionName)
  if (row === undefined) throw new Error(`There is no function ${functionName}`)
  const sample = sampleOf(functionName, name)
  if (sample.release_check) return { release_check: true }
  if (row.trigger.kind === 'schedule') return scheduledEvent(row, time)
  return requestEvent(row, sample)
}

function requestEvent(row: FunctionRow, sample: Sample): APIGatewayProxyEventV2 {
  const [method = '', path = ''] = requestLine(row, sample).split(' ')
  const match = row.trigger.kind === 'url' ? matchUrl() : matchApiRoute(method, path)
  if (match.row.name !== row.name) throw new Error(`${method} ${path} reaches ${match.row.name}, not ${row.name}`)
  const { type, body } = bodyOf(sample)
  const { as: user = 'anonymous' } = sample
  const headers = {
    accept: row.trigger.kind === 'http' && row.operationId === undefined ? 'text/html' : 'application/json',
    host: row.trigger.kind === 'url' ? 'abcdefgh.lambda-url.us-east-1.on.aws' : 'api.console.example.com',
    'user-agent': 'sample-event/1.0',
    ...(user !== 'anonymous' && { authorization: `Bearer {{${user}.access_token}}` }),
    ...(type !== undefined && { 'content-type': type }),
    ...sample.headers,
  }
  const query = encoded(sample.query ?? {})
  const request = { method, url: query === '' ? path : `${path}?${query}`, headers: Object.entries(headers) }
  const event = apiGatewayEvent({ ...request, body: new Uint8Array(), sourceIp, time, requestId }, match.route)
  return {
    ...event,
    // The local stack itself is reached without TLS.
    headers: { ...event.headers, 'x-forwarded-proto': 'https' },
    // Forms too stay text, although AWS encodes them in base64: people read and edit them.
    ...(body !== undefined && { body }),
  }
}

/** The method and the percent-encoded path of a sample's request. */
function requestLine({ name, trigger }: FunctionRow, { request, path = {} }: Sample): string {
  switch (trigger.kind) {
    case 'http':
      return `${trigger.method} ${trigger.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
        const value = path[parameter]
        if (value === undefined) throw new Error(`events/${name}.json: a sample's path lacks ${parameter}`)
        return encodeURIComponent(value)
      })}`
    case 'unmatched':
      if (request === undefined) throw new Error(`events/${name}.json: a sample lacks its request`)
      return request
    default:
      return 'POST /'
  }
}

function bodyOf({ body, form }: Sample): { readonly type?: string; readonly body?: string } {
  if (form !== undefined) return { type: 'application/x-www-form-urlencoded', body: encoded(form) }
  if (body === undefined) return {}
  return { type: 'application/json', body: typeof body === 'string' ? body : JSON.stringify(body) }
}

/** Percent-encodes everything except the placeholders. */
function encoded(parameters: NonNullable<Sample['query']>): string {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) search.append(name, value)
  }
  return search.toString().replaceAll(/%7B%7B([\w.]+)%7D%7D/g, '{{$1}}')
}

/** A sample event with new values for its placeholders, and the expected status. */
interface FilledEvent {
  readonly event: LambdaEvent
  readonly expectedStatus: number
}

/** The same, with its placeholders replaced by values that it creates on a running stack. */
export async function fillSampleEvent(
  client: LocalClient,
  functionName: string,
  name = defaultSample(functionName),
): Promise<FilledEvent> {
  const placeholders = createPlaceholders(client)
  const filled = await fill(sampleEvent(functionName, name), async (placeholder) =>
    placeholder.endsWith('stripe_signature') ? `{{${placeholder}}}` : placeholders(placeholder),
  )
  // The signature covers the body, so it is computed last.
  const { body = '' } = z.object({ body: z.string().optional() }).parse(filled)
  const signed = await fill(filled, (placeholder) => sign(placeholder, body, client))
  return { event: z.custom<LambdaEvent>().parse(signed), expectedStatus: sampleOf(functionName, name).expect }
}

/** Replaces `{{name}}` in every string of a JSON value. */
async function fill(value: unknown, make: (name: string) => Promise<string>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => fill(item, make)))
  if (typeof value === 'string') {
    const parts = value.split(/\{\{([\w.]+)\}\}/)
    return (await Promise.all(parts.map((part, at) => (at % 2 === 1 ? make(part) : part)))).join('')
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, item]) => [key, await fill(item, make)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** `stripe_signature`, also ten minutes old (`stale_...`) or made with the previous secret (`previous_...`). */
async function sign(name: string, payload: string, { info, stripe }: LocalClient): Promise<string> {
  const clockUrl = clockUrlOf(info.stripe.api_base)
  const clock = clockUrl === undefined ? systemClock : createFollowedClock(clockUrl)
  await clock.sync()
  const { webhook_secret, previous_webhook_secret } = info.stripe
  return stripe.webhooks.generateTestHeaderString({
    payload,
    secret: name.startsWith('previous_') ? previous_webhook_secret : webhook_secret,
    timestamp: Math.floor(clock.now() / 1000) - (name.startsWith('stale_') ? 600 : 0),
  })
}
