import { noon } from '../../billing/fixtures.ts'
import { call, type Sent } from '../../http/call.ts'
import { createRandom } from '../world/worldTime.ts'
import { digest, secrets, type WebhookCase, webhookCase } from './webhookCases.ts'
import { createWebhookUnderTest } from './webhookUnderTest.ts'

/** What a run of cases came to. */
export interface Fuzzed {
  /** Cases by the status of their answer. */
  statuses: Record<string, number>
  /** Cases that were signed, and those of them for which store or gateway were asked. */
  signed: number
  asked: number
  /** What broke a rule, the first ten. */
  findings: string[]
}

/**
 * Sends so many requests to the webhook's endpoint, the same ones for the same seed. Unsigned or broken input gets neither
 * a 5xx nor anything read for it; a signed event, however strange, gets a 5xx only where the store is away.
 */
export async function playWebhooks(count: number, seed: number): Promise<Fuzzed> {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const { handler, seen } = createWebhookUnderTest()
  const fuzzed: Fuzzed = { statuses: {}, signed: 0, asked: 0, findings: [] }
  for (let number = 1; number <= count; number += 1) {
    const made = webhookCase(below)
    seen.calls = 0
    seen.storeUnavailable = made.storeUnavailable
    const status = Number((await call(handler, made.sent)).status)
    const signed = isSigned(made.sent)
    fuzzed.statuses[status] = (fuzzed.statuses[status] ?? 0) + 1
    if (signed) fuzzed.signed += 1
    if (seen.calls > 0) fuzzed.asked += 1
    const wrong = brokenRule(made, status, signed, seen.calls)
    if (wrong && fuzzed.findings.length < 10) {
      fuzzed.findings.push(`case ${number} of seed ${seed}: ${wrong}: ${JSON.stringify(made).slice(0, 2000)}`)
    }
  }
  return fuzzed
}

function brokenRule({ sent, intact, storeUnavailable }: WebhookCase, status: number, signed: boolean, calls: number) {
  if (status >= 500) return signed && storeUnavailable && calls > 0 ? null : `answered ${status}`
  if (calls > 0 && !signed) return `${calls} calls for what was not signed`
  if (status === 200) return signed ? null : 'acknowledged what was not signed'
  if (calls > 0) return `answered ${status} after ${calls} calls`
  if (status === 413) return bytesOf(sent).length > 1024 * 1024 ? null : 'refused as too large'
  if (status !== 400) return `answered ${status}`
  return intact && isEvent(bytesOf(sent).toString('utf8')) ? 'refused a signed event' : null
}

function bytesOf({ body, isBase64Encoded }: Sent): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
}

/** Whether a current secret signed this text at a time in the header that is at most 300 s away. */
function isSigned(sent: Sent): boolean {
  const [, header = ''] =
    Object.entries(sent.headers ?? {}).find(([name]) => name.toLowerCase() === 'stripe-signature') ?? []
  const items = header.split(',').map((item) => item.split('='))
  const times = items.flatMap(([name, value = '']) => (name === 't' ? [Number.parseInt(value, 10)] : []))
  const digests = new Set(items.flatMap(([name, value = '']) => (name === 'v1' ? [value] : [])))
  const text = bytesOf(sent).toString('utf8')
  return times.some(
    (time) => Math.abs(time - noon) <= 300 && secrets.some((secret) => digests.has(digest(secret, time, text))),
  )
}

/** Whether a text is what Stripe calls an event. */
function isEvent(text: string): boolean {
  try {
    const { type, created, data } = Object(JSON.parse(text))
    const object: unknown = Object(data).object
    return (
      typeof type === 'string' &&
      Number.isFinite(created) &&
      typeof created === 'number' &&
      typeof object === 'object' &&
      object !== null &&
      !Array.isArray(object)
    )
  } catch {
    return false
  }
}
