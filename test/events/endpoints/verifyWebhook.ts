import { Webhook } from 'standardwebhooks'
import * as z from 'zod'

const request = z.object({ headers: z.looseObject({}), body: z.string() })

/** Verifies received requests as a receiver does, with the standard's own library. Returns the event; throws if the signature is wrong. */
export function createWebhookVerifier(secret: string): (received: unknown) => unknown {
  const webhook = new Webhook(secret)
  return (received) => {
    const { headers, body } = request.parse(received)
    return webhook.verify(body, z.record(z.string(), z.string()).parse(headers))
  }
}
