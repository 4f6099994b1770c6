import Stripe from 'stripe'
import type { GatewayEvent } from '../../billing/gateway/gatewayEvent.ts'
import type { Events } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { readEvent } from './readEvent.ts'

/** Seconds by which a signature's time may differ, in either direction. */
const TOLERANCE = 300

/**
 * Verifies Stripe's webhooks over their raw bytes.
 * @param secrets the signing secrets accepted now, two while they are rotated
 */
export function createWebhookVerifier(secrets: readonly string[], clock: Clock): Events {
  return {
    verify(payload, signature) {
      const now = clock.now()
      if (signature === undefined || isFromTheFuture(signature, now)) return null
      // As text, for the SDK's own decoding would drop a byte order mark that was not signed.
      const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8')
      for (const secret of secrets) {
        const event = constructEvent(text, signature, secret, now)
        if (event) return event
      }
      return null
    },
  }
}

/** Null for a payload that this secret did not sign, that is too old, or that is no event. */
function constructEvent(payload: string, signature: string, secret: string, now: number): GatewayEvent | null {
  try {
    return readEvent(Stripe.webhooks.constructEvent(payload, signature, secret, TOLERANCE, undefined, now))
  } catch {
    return null
  }
}

/** The SDK refuses a signature if it is too old; this also refuses it if it is too new. The header is read as the SDK reads it. */
function isFromTheFuture(signature: string, now: number): boolean {
  const times = signature.split(',').flatMap((item) => {
    const [name, value = ''] = item.split('=')
    return name === 't' ? [Number.parseInt(value, 10)] : []
  })
  return !times.every((time) => time <= now / 1000 + TOLERANCE)
}
