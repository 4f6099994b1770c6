import { afterEach, describe, expect, it } from '@jest/globals'
import { noon } from '../../fixtures.ts'
import { answer, openGateway, stripeSubscription } from '../../openGateway.ts'

type Gateway = Awaited<ReturnType<typeof openGateway>>

const frozen = JSON.stringify({ items: [{ price: 'price_1' }] })
const now = noon * 1000
const rejected = { error: { type: 'invalid_request_error', message: 'No' } }

let opened: Gateway | undefined
async function open(...given: Parameters<typeof openGateway>): Promise<Gateway['subscriptions']> {
  opened = await openGateway(...given)
  return opened.subscriptions
}
afterEach(() => opened?.close())

/** Where subscriptions are created. */
const created = '/v1/subscriptions'

describe('createSubscription', () => {
  // [bug 9]
  it('dates a slow answer by when its request was sent', async () => {
    const subscriptions = await open((_, response) => {
      const date = new Date((noon + 5) * 1000).toUTCString()
      setTimeout(() => answer(response, 200, stripeSubscription('sub_1', 1), { date }), 1100)
    })
    const limits = { sendUntil: now + 35_000, answerBy: now + 25_000, resend: false }
    const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', limits)
    // 1.1 s on the way, and the header has no fractions of a second.
    expect(outcome).toMatchObject({ kind: 'ok', value: { coveredUntil: noon + 3 } })
  })

  describe('Given limits of when to send and to answer', () => {
    it.each([
      ['sends before both limits', 1, 5000, 1],
      ['sends nothing once the lease is too short', 0, 25_000, 0],
      ['sends nothing past the deadline', 25_000, 0, 0],
    ])('%s', async (_, sendIn, answerIn, times) => {
      let sent = 0
      const subscriptions = await open((request, response) => {
        if (request.url === created) sent += 1
        answer(response, 200, stripeSubscription('sub_1', 1))
      })
      const limits = { sendUntil: now + sendIn, answerBy: now + answerIn, resend: false }
      const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', limits)
      expect(sent).toBe(times)
      expect(outcome).toMatchObject(times === 1 ? { kind: 'ok' } : { kind: 'unknown', saved: false })
    })

    it('does not retry once the lease is too short', async () => {
      let time = now
      let sent = 0
      const clock = { now: () => time, sync: async () => {} }
      const subscriptions = await open((request) => {
        sent += 1
        time = now + 35_000
        request.socket.destroy()
      }, clock)
      const limits = { sendUntil: now + 35_000, answerBy: now + 60_000, resend: false }
      expect(await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', limits)).toMatchObject({
        kind: 'unknown',
      })
      expect(sent).toBe(1)
    })

    it('closes the connection at its deadline, so that nothing of the call goes on after the answer', async () => {
      const connection = Promise.withResolvers<string>()
      const subscriptions = await open((request) => {
        request.socket.once('close', () => connection.resolve('closed'))
        // Fails the test where the connection is not closed by then.
        setTimeout(() => connection.resolve('still open'), 2000).unref()
      })
      const limits = { sendUntil: now + 35_000, answerBy: now + 200, resend: false }
      const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', limits)
      expect(outcome).toEqual({ kind: 'unknown', saved: false })
      expect(await connection.promise).toBe('closed')
    })
  })

  describe('Given a rejection that was not saved under the key', () => {
    const limits = { sendUntil: now + 35_000, answerBy: now + 25_000 }

    // [catch wireCall.createGatewayCall]
    it('returns a refusal where the purchase was never sent before', async () => {
      const subscriptions = await open((_, response) => answer(response, 400, rejected))
      const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', { ...limits, resend: false })
      expect(outcome).toEqual({ kind: 'refused', reason: 'other' })
    })

    it('returns an unknown outcome where an earlier request has sent the key', async () => {
      const subscriptions = await open((_, response) => answer(response, 400, rejected))
      const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', { ...limits, resend: true })
      expect(outcome).toEqual({ kind: 'unknown', saved: false, notExecuted: true })
    })

    it.each<[string, [number, string?][], boolean]>([
      ['a rejection', [[400]], true],
      ['a key that was rotated, twice', [[401], [401]], true],
      ['a rate limit', [[429]], true],
      ['a 409 or 429 that is stored under the key', [[429, 'true']], true],
      ['a stored 409', [[409, 'true']], true],
      ['a key in use', [[409]], false],
      ['a failure', [[503]], false],
    ])('says after %s whether an attempt of this call may have been executed', async (_, answers, notExecuted) => {
      let sent = 0
      const subscriptions = await open((_request, response) => {
        const [status, replayed] = answers[Math.min(sent, answers.length - 1)] ?? [400]
        sent += 1
        answer(response, status, rejected, replayed === undefined ? {} : { 'idempotent-replayed': replayed })
      })
      const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', { ...limits, resend: true })
      const expected = { kind: 'unknown', ...(notExecuted && { notExecuted }) }
      expect(outcome).toEqual({ saved: false, ...expected })
    })

    it('returns an unknown outcome where the first attempt of this request got no answer', async () => {
      let sent = 0
      const subscriptions = await open((request, response) => {
        sent += 1
        if (sent === 1) request.socket.destroy()
        else answer(response, 400, rejected)
      })
      const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', { ...limits, resend: false })
      expect(sent).toBe(2)
      expect(outcome).toEqual({ kind: 'unknown', saved: false })
    })
  })

  describe('Given a customer that another request holds locked', () => {
    const locked = { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'Locked' } }

    async function sendWhileLocked(times: number, sendUntil = now + 35_000) {
      const keys: unknown[] = []
      const subscriptions = await open((request, response) => {
        if (request.url === created) keys.push(request.headers['idempotency-key'])
        if (keys.length <= times) answer(response, 429, locked)
        else answer(response, 200, stripeSubscription('sub_1', 1))
      })
      const limits = { sendUntil, answerBy: now + 25_000, resend: false }
      return { outcome: await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', limits), keys }
    }

    // [bug 14]
    it('sends the same key again until the lock is free', async () => {
      const { outcome, keys } = await sendWhileLocked(2)
      expect(outcome).toMatchObject({ kind: 'ok', value: { id: 'sub_1' } })
      expect(keys).toEqual(['sub:key', 'sub:key', 'sub:key'])
    })

    it('gives up after four more attempts, of which none was executed', async () => {
      const { outcome, keys } = await sendWhileLocked(99)
      expect(outcome).toEqual({ kind: 'unknown', saved: false, notExecuted: true })
      expect(keys).toHaveLength(5)
    })
  })
})
