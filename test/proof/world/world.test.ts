import { beforeAll, describe, expect, it } from '@jest/globals'
import { checkout } from '../../../lib/billing/checkout/checkout.ts'
import { organizationId, userId } from '../../billing/fixtures.ts'
import { playStory } from './faults/faultRun.ts'
import type { Fault } from './faults/faults.ts'
import { notAtRest } from './finalState.ts'
import { createStories } from './stories/createStories.ts'
import { wanted } from './stories/storiesGround.ts'
import type { Story } from './stories/story.ts'
import { createWorld } from './world.ts'

const sameAnswers = [
  ['checkout with a coupon', 'createSubscription'],
  ['checkout with 3-D Secure', 'createSubscription'],
  ['checkout with a declined card', 'createSubscription'],
  ['checkout with a declined card', 'cancelNow'],
  ['resume with another card', 'payInvoice'],
  ['cancel now', 'cancelNow'],
  ['cancel at the end of the period', 'cancelAtPeriodEnd'],
] as const

let story: Story | undefined
let stories: Story[] = []
beforeAll(async () => {
  stories = await createStories((name) => sameAnswers.some(([played]) => played === name))
  story = stories.find(({ name }) => name === 'checkout with a coupon')
})

/** What an operation is answered, ids left out, and the requests that changed something at the gateway. */
async function answerOf(name: string, faults: Fault[]) {
  const own = stories.find((one) => one.name === name)
  if (!own || own.operation === 'webhooks') throw new Error(`There is no operation ${name}`)
  const world = createWorld(1, { faults }, own.beginning)
  const ending = await world.run(own.operation)
  const delivered = world.trace.some((line) => / \d+\/records\.readSlot#1/.test(line))
  world.close()
  // An event takes its time, too: what the gateway said may be a second newer.
  const text = JSON.stringify(ending)
    .replace(/pi_\w+/g, 'pi')
    .replace(/"coveredUntil":\d+/g, '')
  return { ending: text, delivered }
}
function given(): Story {
  if (!story) throw new Error('The story is not prepared yet')
  return story
}
describe('The deterministic world', () => {
  it('leaves the same trace for the same seed and faults, 20 times of 20', async () => {
    const faults: Fault[] = [
      { at: '0/gateway.createSubscription#1', kind: 'late' },
      { at: '1/records.commit#2', kind: 'overtaken' },
    ]
    const traces = new Set<string>()
    for (let run = 0; run < 20; run += 1) {
      const { trace } = await playStory(
        given(),
        faults,
        { by: 'the same request', gap: '+1 min', webhooks: 'before' },
        42,
      )
      traces.add(trace.join('\n'))
    }
    expect(traces.size).toBe(1)
    expect([...traces][0]).toContain('1/records.commit#2: overtaken')
  })

  it.each(sameAnswers)(
    'answers “%s” the same where the events of %s arrive before its answer, or it met a lock',
    async (name, call) => {
      const at = `0/gateway.${call}#1`
      const { ending } = await answerOf(name, [])
      expect(await answerOf(name, [{ at, kind: 'event first' }])).toEqual({ ending, delivered: true })
      expect(await answerOf(name, [{ at, kind: 'locked' }])).toEqual({ ending, delivered: false })
    },
  )

  it('never continues an invocation that crashed', async () => {
    const world = createWorld(1, { faults: [{ at: '0/records.commit#1', kind: 'crash after' }] }, given().beginning)
    expect(await world.run((deps) => checkout(deps, wanted))).toEqual({ kind: 'crashed' })
    expect(world.awaits.at(-1)).toBe('0/records.commit#1')
    expect((await world.records.readSlot(organizationId, 'ota')).slot.state).toBe('pending')
    world.close()
  })

  it('carries out a late request after its caller gave it up', async () => {
    const world = createWorld(
      1,
      { faults: [{ at: '0/gateway.createSubscription#1', kind: 'late' }] },
      given().beginning,
    )
    const count = () => world.stripe.core.control.state().subscriptions.length
    const before = count()
    expect(JSON.stringify(await world.run((deps) => checkout(deps, wanted)))).toContain('gateway_unavailable')
    expect(count()).toBe(before)
    await world.pass(46_000)
    expect(count()).toBe(before + 1)
    world.close()
  })
})

describe('The monitors', () => {
  const buyTwice = {
    items: [{ price: '' }],
    metadata: { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: '1', user_id: userId },
  }

  /** Two subscriptions for one purchase, bought past the service. */
  async function boughtTwice() {
    const world = createWorld(1, { faults: [] }, given().beginning)
    const { sdk, core } = world.stripe
    const { customers, prices } = core.control.state()
    const customer = customers.find(({ metadata }) => metadata.organization_id === organizationId)?.id ?? ''
    const price = prices.find(({ lookup_key }) => lookup_key === 'base_ota')?.id ?? ''
    const params = { ...buyTwice, customer, items: [{ price }], discounts: [{ coupon: 'half' }] }
    await sdk.subscriptions.create(params)
    // The books are broken, which the emulator answers with 500.
    await sdk.subscriptions.create(params).catch(() => undefined)
    return world
  }

  it('see a slot held twice, a purchase charged twice and a coupon applied twice', async () => {
    const world = await boughtTwice()
    const text = world.violations.join('\n')
    expect(text).toContain('one_live_per_organization_id_and_product')
    expect(text).toContain('is held by two subscriptions')
    expect(text).toContain('n=1 was charged twice')
    expect(text).toContain('the coupon half of')
    world.close()
  })

  it('see a key sent with another request, and a write that names another organization', async () => {
    const world = createWorld(1, { faults: [], others: given().others }, given().beginning)
    const [, theirs = ''] = given().others
    const key = { idempotencyKey: 'once' }
    await world.stripe.sdk.customers.create({ metadata: { a: '1' } }, key)
    await world.stripe.sdk.customers.create({ metadata: { a: '2' } }, key).catch(() => undefined)
    await world.stripe.sdk.customers.update(theirs, { description: 'mine' })
    expect(world.violations).toEqual(['not the frozen request: once', `POST /v1/customers/${theirs} names ${theirs}`])
    world.close()
  })

  it('see at the end what belongs to no slot and a coupon that was not redeemed', async () => {
    const world = await boughtTwice()
    const text = notAtRest(world).join('\n')
    expect(text).toContain('belongs to no slot')
    expect(text).toContain('used a coupon that is not redeemed')
    world.close()
  })

  it('see at the end a reservation that was left behind, and a slot that is not the gateway’s', async () => {
    const world = createWorld(1, { faults: [{ at: '0/records.commit#1', kind: 'crash after' }] }, given().beginning)
    await world.run((deps) => checkout(deps, { ...wanted, couponCode: 'half' }))
    const { slot } = await world.records.readSlot(organizationId, 'ota')
    expect(notAtRest(world).join('\n')).toContain('is still pending')
    const { claim: _claim, coupon: _coupon, ...rest } = slot
    world.records.overwrite({ ...rest, state: 'none' })
    expect(notAtRest(world)).toContainEqual('half is RESERVED by n=1, and its slot is none n=1')
    world.close()
  })
})
