import * as z from 'zod'
import { createFollowedClock } from '../../../lib/adapters/clock/followedClock.ts'
import { systemClock } from '../../../lib/adapters/clock/systemClock.ts'
import type { LambdaEvent } from '../invokeFunction.ts'
import type { LocalClient } from '../localClient.ts'
import { clockUrlOf } from '../settings.ts'
import { createPlaceholders } from './placeholders.ts'
import { defaultSample, sampleOf } from './readSamples.ts'

/** The event of a sample with its placeholders, or of the function's default sample if none is named. */
export function sampleEvent(functionName: string, name = defaultSample(functionName)): LambdaEvent {
  return z.custom<LambdaEvent>().parse(sampleOf(functionName, name).event)
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
