import Stripe from 'stripe'
import { BillingError } from '../../billing/errors.ts'
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
      const isSigned = secrets.some((secret) => hasSigned(secret, text, signature, now))
      return isSigned ? readSigned(text) : null
    },
  }
}

/** False for a payload that this secret did not sign, or that is too old. */
function hasSigned(secret: string, payload: string, signature: string, now: number): boolean {
  try {
    return Stripe.webhooks.signature?.verifyHeader(payload, signature, secret, TOLERANCE, undefined, now) ?? false
  } catch {
    return false
  }
}

/** Null for a payload that is no event. Throws BillingError `thin_event`. */
function readSigned(payload: string): GatewayEvent | null {
  try {
    return readEvent(JSON.parse(payload))
  } catch (error) {
    if (error instanceof BillingError) throw error
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
