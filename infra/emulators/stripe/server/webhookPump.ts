import type { StripeCore } from '../core/stripeCore.ts'
import type { OutgoingWebhook } from '../resources/deliveries.ts'

/** An attempt to deliver an event; `status` is null if the endpoint could not be reached. */
interface Delivered {
  id: string
  type: string
  status: number | null
}

/** Sends the core's webhooks to their endpoints. */
export interface WebhookPump {
  /** Starts sending what is due, unless webhooks are held. Returns at once. */
  kick(): void
  /** Sends what is due, unless webhooks are held; resolves when it was answered. */
  deliverDue(): Promise<void>
  /** Sends everything not yet delivered, in sequence, each `copies` times, in either mode. Resolves when all were sent. */
  flush(how: { order: 'fifo' | 'lifo'; copies: number }): Promise<Delivered[]>
  /** Stops sending; resolves when the deliveries under way were answered. */
  close(): Promise<void>
}

/** Sends a webhook; null when there was no answer. */
export type SendWebhook = (webhook: OutgoingWebhook) => Promise<number | null>

/** Deliveries under way at once. */
const parallel = 4

/** A webhook endpoint that does not answer in this time has failed. */
const timeoutMs = 15_000

/** POSTs a webhook; redirects count as failures, as with Stripe. */
export async function postWebhook({ url, headers, body }: OutgoingWebhook): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}

export function createWebhookPump(core: StripeCore, send: SendWebhook = postWebhook): WebhookPump {
  const underWay = new Map<string, Promise<void>>()
  let flushing: Promise<unknown> = Promise.resolve()
  let flushes = 0
  let closed = false

  async function deliver(webhook: OutgoingWebhook): Promise<void> {
    const status = await send(webhook)
    underWay.delete(webhook.delivery)
    core.recordWebhookAttempt(webhook.delivery, status)
    kick()
  }

  function kick(): void {
    if (closed || core.webhookMode() === 'hold' || flushes > 0) return
    const free = parallel - underWay.size
    if (free <= 0) return
    for (const webhook of core.nextWebhooks(free, underWay)) underWay.set(webhook.delivery, deliver(webhook))
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values())
  }

  async function sendAll(order: 'fifo' | 'lifo', copies: number): Promise<Delivered[]> {
    await idle()
    const waiting = core.pendingWebhooks(true)
    const delivered: Delivered[] = []
    for (const webhook of order === 'lifo' ? waiting.reverse() : waiting) {
      for (let copy = 0; copy < copies; copy += 1) {
        const status = await send(webhook)
        core.recordWebhookAttempt(webhook.delivery, status)
        delivered.push({ id: webhook.event, type: webhook.type, status })
      }
    }
    return delivered
  }

  async function flush({ order, copies }: { order: 'fifo' | 'lifo'; copies: number }): Promise<Delivered[]> {
    flushes += 1
    const mine = flushing.then(() => sendAll(order, copies))
    flushing = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      flushes -= 1
      kick()
    }
  }

  async function deliverDue(): Promise<void> {
    kick()
    await idle()
  }

  async function close(): Promise<void> {
    closed = true
    await idle()
    await flushing
  }

  return { kick, deliverDue, flush, close }
}
