import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { call } from '../../http/call.ts'
import { errorBody } from '../../support/errorBody.ts'
import { subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { latestEvent, postWebhook, signatureOf, signed } from './webhookRequests.ts'

const bed = useCleanStack()

const received = { status: 200, body: { received: true } }
const refused = { status: 400, body: errorBody('Invalid signature', 'invalid_signature') }
const payload = JSON.stringify({
  id: 'evt_1',
  type: 'customer.created',
  created: 1_795_262_400,
  data: { object: { id: 'cus_1', name: 'Ångström & 北京 🚗' } },
})

/** What Stripe sends to an event destination with the payload style `thin` (https://docs.stripe.com/event-destinations#thin-events). */
const thinEvent = {
  id: 'evt_test_65R9Ijk8dKEYZcXeRWn16R9A7j1FSQ3w3TGDPLLGSM4CW0',
  object: 'v2.core.event',
  type: 'v1.customer.subscription.updated',
  livemode: false,
  created: '2026-11-21T12:00:00.000Z',
  reason: null,
  related_object: { id: 'sub_1', type: 'subscription', url: '/v1/subscriptions/sub_1' },
}

const secrets = () => bed.stack.client.info.stripe

/** A signature `seconds` from the service's clock; waits for the early part of a second, so that it does not end before delivery. */
async function signedAt(seconds: number, secret = secrets().webhook_secret): Promise<string> {
  const intoSecond = Date.now() % 1000
  if (intoSecond > 600) await delay(1005 - intoSecond)
  return signatureOf(payload, { secret, timestamp: (await bed.stack.emulator.now()) + seconds })
}

/** The calls to DynamoDB and the gateway while `send` ran. */
async function touchedBy(send: () => Promise<unknown>) {
  const { stack } = bed
  await stack.emulator.clearRequests()
  stack.dynamoDb.reset()
  const answer = await send()
  return { answer, dynamoDb: stack.dynamoDb.calls(), gateway: await stack.emulator.requests() }
}

describe('POST to the webhook', () => {
  beforeEach(() => bed.stack.emulator.webhooks('hold'))

  describe('Given a genuine signature', () => {
    it('answers 200 to a signature with the current secret and with the previous one', async () => {
      for (const secret of [secrets().webhook_secret, secrets().previous_webhook_secret]) {
        expect(await postWebhook(bed.stack, payload, [await signedAt(0, secret)])).toEqual(received)
      }
    })

    it('answers 200 where any of several v1 signatures is the right one', async () => {
      const [timestamp = '', right = ''] = (await signedAt(0)).split(',')
      const wrong = `v1=${'0'.repeat(64)}`
      for (const header of [
        [timestamp, wrong, right],
        [timestamp, right, wrong],
      ]) {
        expect(await postWebhook(bed.stack, payload, [header.join(',')])).toEqual(received)
      }
    })

    it('answers 200 to a v1 signature beside unknown schemes', async () => {
      expect(await postWebhook(bed.stack, payload, [`v9=abc,${await signedAt(0)},v0=def,x`])).toEqual(received)
    })

    it('answers 200 where the same header is sent twice', async () => {
      const header = await signedAt(0)
      expect(await postWebhook(bed.stack, payload, [header, header])).toEqual(received)
    })

    it('answers 200 to text, to binary on the wire and to a base64 event', async () => {
      const { handler } = await import('../../../functions/stripe-webhook/handler.ts')
      const header = await signedAt(0)
      expect(await postWebhook(bed.stack, payload, [header], 'application/octet-stream')).toEqual(received)
      const headers = { 'Stripe-Signature': header }
      const base64 = Buffer.from(payload).toString('base64')
      expect(await call(handler, { body: base64, isBase64Encoded: true, headers })).toMatchObject(received)
      expect(await call(handler, { body: payload, headers })).toMatchObject(received)
      expect(await call(handler, { body: base64, headers })).toMatchObject(refused)
    })

    it('verifies the body byte for byte, with any white space and any letters', async () => {
      const spaced = `\r\n\t ${payload.replaceAll(':', ' :\n  ')}  \n`
      for (const contentType of ['application/json', 'application/octet-stream']) {
        const header = await signed(bed.stack, spaced)
        expect(await postWebhook(bed.stack, spaced, [header], contentType)).toEqual(received)
        expect(await postWebhook(bed.stack, spaced.trim(), [header], contentType)).toEqual(refused)
      }
    })

    it('answers 200 to an event of 200 KB', async () => {
      const large = payload.replace('🚗', '🚗'.repeat(51_200))
      expect(Buffer.byteLength(large)).toBeGreaterThan(200 * 1024)
      expect(await postWebhook(bed.stack, large, [await signed(bed.stack, large)])).toEqual(received)
    })

    it('answers 200 to an unknown event type, and reads no records', async () => {
      const unknown = payload.replace('customer.created', 'no.such.type')
      const { answer, ...touched } = await touchedBy(async () =>
        postWebhook(bed.stack, unknown, [await signed(bed.stack, unknown)]),
      )
      expect(answer).toEqual(received)
      expect(touched).toEqual({ dynamoDb: [], gateway: [] })
    })

    it('answers 400 to a thin event, says so, and reads no records', async () => {
      const thin = JSON.stringify(thinEvent)
      const { answer, ...touched } = await touchedBy(async () =>
        postWebhook(bed.stack, thin, [await signed(bed.stack, thin)]),
      )
      const detail = 'This endpoint takes snapshot events, not thin events'
      expect(answer).toEqual({ status: 400, body: errorBody(detail, 'thin_event') })
      expect(touched).toEqual({ dynamoDb: [], gateway: [] })
      const unsigned = signatureOf(thin, {
        secret: 'whsec_of_another_endpoint',
        timestamp: await bed.stack.emulator.now(),
      })
      expect(await postWebhook(bed.stack, thin, [unsigned])).toEqual(refused)
    })

    it('reads the records for an event of this service', async () => {
      const { subscriptionId } = await subscribedOrganization(bed.stack)
      const event = JSON.stringify(await latestEvent(bed.stack, 'customer.subscription.created', subscriptionId))
      const { answer, dynamoDb } = await touchedBy(async () =>
        postWebhook(bed.stack, event, [await signed(bed.stack, event)]),
      )
      expect(answer).toEqual(received)
      expect(dynamoDb.length).toBeGreaterThan(0)
    })
  })

  describe('Given a signature of another time than the service’s', () => {
    it.each([299, 300, -299, -300])('answers 200 to a difference of %i s', async (seconds) => {
      expect(await postWebhook(bed.stack, payload, [await signedAt(seconds)])).toEqual(received)
    })

    // [asvs 4.1.5]
    it.each([301, -301])('answers 400 to a difference of %i s', async (seconds) => {
      expect(await postWebhook(bed.stack, payload, [await signedAt(seconds)])).toEqual(refused)
    })

    it('compares with the clock of the gateway', async () => {
      const header = await signedAt(0)
      await bed.stack.emulator.advance(290)
      expect(await postWebhook(bed.stack, payload, [header])).toEqual(received)
      await bed.stack.emulator.advance(20)
      expect(await postWebhook(bed.stack, payload, [header])).toEqual(refused)
      expect(await postWebhook(bed.stack, payload, [await signedAt(0)])).toEqual(received)
    })

    it('answers 400 where a current time is sent before a time in the future', async () => {
      const ahead = await signedAt(3600)
      const now = `t=${await bed.stack.emulator.now()}`
      expect(await postWebhook(bed.stack, payload, [`${now},${ahead}`])).toEqual(refused)
      expect(await postWebhook(bed.stack, payload, [now, ahead])).toEqual(refused)
    })

    it.each(['t=+', 't= ', 't=\t'])(
      'answers 400 where a time in the future is written as %j and digits',
      async (spelling) => {
        const ahead = await signedAt(3600)
        expect(await postWebhook(bed.stack, payload, [ahead.replace('t=', spelling)])).toEqual(refused)
      },
    )
  })
})
