import { Webhook } from 'standardwebhooks'
import * as z from 'zod'
import type { Clock } from '../../../lib/core/clock.ts'

/** A request of the service, as it arrived. Names of headers are in lower case. */
export interface ReceivedEvent {
  readonly headers: Readonly<Record<string, string>>
  /** The text that was signed. */
  readonly body: string
}

/** Takes events as a server of the operator does. */
export interface Receiver {
  /**
   * Keeps the event if its signature is good. Returns why it does not.
   * @param secret the endpoint's, `whsec_...`
   */
  receive(event: ReceivedEvent, secret: string): Promise<'bad_signature' | 'bad_timestamp' | undefined>
  /** The last events, newest first. */
  list(): readonly ReceivedEvent[]
}

const KEPT = 200
/** As Standard Webhooks' libraries, seconds. */
const TOLERANCE = 300

const signedHeaders = z.object({
  'webhook-id': z.string(),
  'webhook-timestamp': z.string().regex(/^\d+$/).transform(Number),
  'webhook-signature': z.string(),
})

/** Keeps events until the stack stops. `clock` is the service's. */
export function createReceiver(clock: Clock): Receiver {
  const events: ReceivedEvent[] = []
  return {
    async receive(event, secret) {
      const { data: signed } = signedHeaders.safeParse(event.headers)
      if (signed === undefined) return 'bad_signature'
      const at = signed['webhook-timestamp']
      // The package's `verify` compares the time with this machine's clock, and the service's may be ahead.
      const expected = new Webhook(secret).sign(signed['webhook-id'], new Date(at * 1000), event.body)
      if (!signed['webhook-signature'].split(' ').includes(expected)) return 'bad_signature'
      await clock.sync()
      if (Math.abs(clock.now() / 1000 - at) > TOLERANCE) return 'bad_timestamp'
      events.unshift(event)
      events.splice(KEPT)
      return undefined
    },
    list: () => events,
  }
}
