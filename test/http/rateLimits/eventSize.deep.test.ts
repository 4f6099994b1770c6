import { describe, expect, it } from '@jest/globals'
import { postWebhook, signed } from '../../billing/events/webhookRequests.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'

const bed = useBillingStack()

/** An event of exactly this many bytes, which changes nothing. */
function eventOf(bytes: number): string {
  const event = { id: 'evt_1', type: 'customer.created', created: 1, data: { object: { id: 'cus_1', name: '' } } }
  const name = 'x'.repeat(bytes - JSON.stringify(event).length)
  return JSON.stringify({ ...event, data: { object: { ...event.data.object, name } } })
}

describe('POST to the webhook', () => {
  it.each(['application/json', 'application/octet-stream'])('answers 200 to an event of 1 MiB as %s', async (type) => {
    const event = eventOf(1024 * 1024)
    const answer = await postWebhook(bed.stack, event, [await signed(bed.stack, event)], type)
    expect(answer).toEqual({ status: 200, body: { received: true } })
  })

  it('answers 413 to one byte more, whatever its signature, and reads nothing', async () => {
    const event = eventOf(1024 * 1024 + 1)
    const signature = await signed(bed.stack, event)
    bed.stack.dynamoDb.reset()
    for (const signatures of [[signature], ['t=1,v1=forged'], []]) {
      const answer = await postWebhook(bed.stack, event, signatures)
      expect(answer).toEqual({ status: 413, body: errorBody('The event is larger than 1 MiB', 'event_too_large') })
    }
    expect(bed.stack.dynamoDb.calls()).toEqual([])
  })
})
