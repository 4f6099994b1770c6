import { afterEach, describe, expect, it } from '@jest/globals'
import { acknowledgeWebhooks } from './faults/faultRun.ts'
import { notAtRest } from './finalState.ts'
import { createStory } from './stories/createStories.ts'
import { payOnPage } from './stories/storiesOfInvoices.ts'
import { createWorld, type Operation, type World } from './world.ts'

let world: World
afterEach(() => world.close())

describe('Given surplus whose invoice is paid', () => {
  it.each([
    ['before it is voided', 1],
    ['between its look-up and its voiding', 2],
  ])('%s, it is refused until the next event gives the payment back', async (_, request) => {
    const story = await createStory('webhooks of surplus by invoice')
    const before = () => payOnPage(world)
    // The first request of the removal looks for open invoices, and the second voids one.
    const meanwhile: Operation = async () => {
      if (request === 1) await before()
      else world.stripe.faultNext({ before })
    }
    const faults = [{ at: '0/gateway.refundSubscription#1', kind: 'overtaken' } as const]
    world = createWorld(7, { faults, meanwhile, others: story.others }, story.beginning)
    // An invoice that cannot be voided any more leaves the event to come again.
    expect(await world.deliverWebhooks()).toBe(request === 1 ? 0 : 1)
    await acknowledgeWebhooks(world)
    expect(world.trace.join('\n')).toMatch(request === 1 ? /refunds .*-> 200/ : /void -> 400[\s\S]*refunds .*-> 200/)
    expect([...world.violations, ...notAtRest(world), ...story.atRest(world)]).toEqual([])
  })
})
