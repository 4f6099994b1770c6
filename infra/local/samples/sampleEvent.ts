import { readdir, readFile } from 'node:fs/promises'
import * as z from 'zod'
import { createFollowedClock } from '../../../lib/adapters/clock/followedClock.ts'
import { systemClock } from '../../../lib/adapters/clock/systemClock.ts'
import { manifest } from '../../manifest.ts'
import type { LambdaEvent } from '../invokeFunction.ts'
import type { LocalClient } from '../localClient.ts'
import { clockUrlOf } from '../settings.ts'
import { createPlaceholders } from './placeholders.ts'

const eventsFolder = new URL('../../../events/', import.meta.url)

/** The status of the function's answer; 200 if a scheduled function does not fail. */
const expectation = { '//expect': z.number().int() }
const sampleEvent = z.union([
  z.looseObject({
    ...expectation,
    version: z.literal('2.0'),
    headers: z.record(z.string(), z.string()),
    requestContext: z.looseObject({ requestId: z.string() }),
    body: z.string().optional(),
  }),
  z.looseObject({ ...expectation, version: z.literal('0'), 'detail-type': z.literal('Scheduled Event') }),
  z.looseObject({ ...expectation, release_check: z.literal(true) }),
])

/** The sample events of a function, `<name>.<case>.json`, in alphabetical order. */
export async function listSampleEvents(functionName: string): Promise<string[]> {
  const files = await readdir(eventsFolder)
  const ofFunction = new RegExp(`^${functionName}(\\.[a-z0-9-]+)?\\.json$`)
  return files.filter((file) => ofFunction.test(file)).sort()
}

/** The file to run if the user names none: the row's `served`, or else its `refused`. Undefined if the function is unknown. */
export function defaultSampleEvent(functionName: string): string | undefined {
  const { samples } = manifest.find(({ name }) => name === functionName) ?? {}
  const sample = samples?.served ?? samples?.refused
  return sample === undefined ? undefined : sampleFile(functionName, sample)
}

/** The file under `events/` of a function's sample event. */
export function sampleFile(functionName: string, sample: string): string {
  return `${functionName}.${sample}.json`
}

/** A sample event with its placeholders unfilled. */
export async function readSampleEvent(file: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(file, eventsFolder), 'utf8'))
}

export async function expectedStatusOf(file: string): Promise<number> {
  return sampleEvent.parse(await readSampleEvent(file))['//expect']
}

/** A sample event with new values for its placeholders, and the expected status. */
interface FilledEvent {
  readonly event: LambdaEvent
  readonly expectedStatus: number
}

/** Reads `events/<file>` and replaces its placeholders with values that it creates on a running stack. */
export async function fillSampleEvent(file: string, client: LocalClient): Promise<FilledEvent> {
  const placeholders = createPlaceholders(client)
  const filled = await fill(await readSampleEvent(file), async (name) =>
    name.endsWith('stripe_signature') ? `{{${name}}}` : placeholders(name),
  )
  const { '//expect': expectedStatus, ...event } = sampleEvent.parse(filled)
  // The signature covers the body, so it is computed last.
  const body = typeof event.body === 'string' ? event.body : ''
  const signed = await fill(event, (name) => sign(name, body, client))
  return { event: z.custom<LambdaEvent>().parse(signed), expectedStatus }
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
