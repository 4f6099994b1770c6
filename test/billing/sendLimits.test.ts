import { afterEach, describe, expect, it } from '@jest/globals'
import { noon } from './fixtures.ts'
import { answer, openGateway, stripeSubscription } from './openGateway.ts'

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

describe('Sending a purchase', () => {
  it.each([
    ['before both limits', 1, 5000, 1],
    ['never once the lease is too short', 0, 25_000, 0],
    ['never past the deadline', 25_000, 0, 0],
  ])('happens %s', async (_, sendIn, answerIn, times) => {
    let sent = 0
    const subscriptions = await open((_request, response) => {
      sent += 1
      answer(response, 200, stripeSubscription('sub_1', 1))
    })
    const limits = { sendUntil: now + sendIn, answerBy: now + answerIn, resend: false }
    const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', limits)
    expect(sent).toBe(times)
    expect(outcome).toMatchObject(times === 1 ? { kind: 'ok' } : { kind: 'unknown', saved: false })
  })

  it('is not tried a second time once the lease is too short', async () => {
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

  it('is broken off at its deadline, so that nothing of it goes on after the answer', async () => {
    const brokenOff = Promise.withResolvers<string>()
    const subscriptions = await open((request) => {
      request.socket.once('close', () => brokenOff.resolve('broken off'))
      // Left alone, it would go on for longer than this test waits.
      setTimeout(() => brokenOff.resolve('still open'), 2000).unref()
    })
    const limits = { sendUntil: now + 35_000, answerBy: now + 200, resend: false }
    const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', limits)
    expect(outcome).toEqual({ kind: 'unknown', saved: false })
    expect(await brokenOff.promise).toBe('broken off')
  })
})

describe('A rejection that was not saved under the key', () => {
  const limits = { sendUntil: now + 35_000, answerBy: now + 25_000 }

  it('refuses a purchase that was never sent before', async () => {
    const subscriptions = await open((_, response) => answer(response, 400, rejected))
    const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', { ...limits, resend: false })
    expect(outcome).toEqual({ kind: 'refused', reason: 'other' })
  })

  it('says nothing of what an earlier request did with the key', async () => {
    const subscriptions = await open((_, response) => answer(response, 400, rejected))
    const outcome = await subscriptions.createSubscription(frozen, 'cus_1', 'sub:key', { ...limits, resend: true })
    expect(outcome).toEqual({ kind: 'unknown', saved: false })
  })

  it('says nothing of what the first attempt of this request did', async () => {
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
