import { afterAll, describe, expect, it } from '@jest/globals'
import { type Emulator, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

const buy: Emulator['buy'] = (...terms) => emulator.buy(...terms)

describe('DELETE /v1/subscriptions/:id', () => {
  it('ends the subscription now, with ended_at, a reason, and customer.subscription.deleted with the whole object', async () => {
    const { id } = await buy()
    const ended = await stripe.subscriptions.cancel(id, {
      cancellation_details: { comment: 'bye', feedback: 'unused' },
    })
    expect(ended).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'cancellation_requested', comment: 'bye' },
    })
    expect(ended.ended_at).toBeGreaterThanOrEqual(ended.created)
    const [event] = (await stripe.events.list({ limit: 1 })).data
    expect(event).toMatchObject({ type: 'customer.subscription.deleted', data: { object: { id, status: 'canceled' } } })
    expect(event?.data.previous_attributes).toBeUndefined()
  })
})

describe('POST /v1/subscriptions/:id', () => {
  it('schedules the cancellation and undoes it, with previous_attributes in the event', async () => {
    const { id, items } = await buy()
    const end = items.data[0]?.current_period_end
    const scheduled = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    expect(scheduled).toMatchObject({
      status: 'active',
      cancel_at: end,
      cancellation_details: { reason: 'cancellation_requested' },
    })
    const [event] = (await stripe.events.list({ limit: 1 })).data
    expect(event?.data.previous_attributes).toMatchObject({ cancel_at: null, cancel_at_period_end: false })
    const undone = await stripe.subscriptions.update(id, { cancel_at_period_end: false })
    expect(undone).toMatchObject({
      cancel_at: null,
      canceled_at: null,
      cancel_at_period_end: false,
      cancellation_details: { reason: null },
    })
  })

  it('takes cancel_at as a time or as min_period_end, and clears it', async () => {
    const { id, items, created } = await buy()
    const update = (cancel_at: number | 'min_period_end' | null) =>
      stripe.subscriptions.update(id, { cancel_at: cancel_at ?? '' })
    const found = await update('min_period_end')
    expect(found).toMatchObject({ cancel_at: items.data[0]?.current_period_end, cancel_at_period_end: false })
    expect((await update(created + 86_400)).cancel_at).toBe(created + 86_400)
    expect((await update(null)).cancel_at).toBeNull()
    await expectRefusal(update(created - 1), { statusCode: 400, param: 'cancel_at' })
  })

  it('merges metadata, removing what is empty, and emits nothing when nothing changed', async () => {
    const { id } = await buy('pm_card_visa', { metadata: { a: '1', b: '2' } })
    const shown = (await stripe.subscriptions.update(id, { metadata: { b: '', c: '3' } })).metadata
    expect(shown).toEqual({ a: '1', c: '3' })
    const before = (await emulator.eventTypes()).length
    await stripe.subscriptions.update(id, { metadata: { c: '3' } })
    expect((await emulator.eventTypes()).length).toBe(before)
  })
})

describe('GET /v1/subscriptions', () => {
  it('lists by customer, status and price, newest first, page by page', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.unshift((await emulator.subscribe(customer)).id)
    await stripe.subscriptions.cancel(ids[0] ?? '')
    const list = async (status?: 'all' | 'ended') => {
      const found: string[] = []
      for await (const row of stripe.subscriptions.list({ customer, limit: 2, ...(status && { status }) }))
        found.push(row.id)
      return found
    }
    expect(await list('all')).toEqual(ids)
    expect(await list()).toEqual(ids.slice(1))
    expect(await list('ended')).toEqual(ids.slice(0, 1))
    expect((await stripe.subscriptions.list({ customer, price: emulator.free })).data).toEqual([])
    const bad = stripe.subscriptions.list({ customer, starting_after: 'sub_unknown' })
    await expectRefusal(bad, { statusCode: 400, code: 'resource_missing', param: 'starting_after' })
  })

  it('shows a new subscription to search only after a minute', async () => {
    const { id } = await buy('pm_card_visa', { metadata: { attempt: 'a-1' } })
    const search = async (query: string) => (await stripe.subscriptions.search({ query })).data.map((row) => row.id)
    expect(await search("metadata['attempt']:'a-1'")).toEqual([])
    await emulator.advance(61)
    expect(await search("status:'active' AND metadata['attempt']:'a-1'")).toEqual([id])
    await stripe.subscriptions.cancel(id)
    expect(await search("status:'active' AND metadata['attempt']:'a-1'")).toEqual([id])
    await emulator.advance(61)
    expect(await search("-status:'active' AND metadata['attempt']:'a-1'")).toEqual([id])
  })
})

describe('expand', () => {
  it('fills in objects as deep as four properties, and members that are otherwise left out', async () => {
    const { id } = await buy('pm_card_visa', { discounts: [{ coupon: 'HALF' }] })
    const shown = await stripe.subscriptions.retrieve(id, {
      expand: ['customer', 'discounts.source.coupon', 'latest_invoice.payments', 'items.data.price.product'],
    })
    expect(shown).toMatchObject({
      customer: { object: 'customer' },
      discounts: [{ source: { coupon: { id: 'HALF', percent_off: 50 } } }],
      items: { data: [{ price: { product: { name: 'OTA' } } }] },
      latest_invoice: { payments: { data: [{ payment: { payment_intent: expect.stringMatching(/^pi_/) } }] } },
    })
  })

  it('answers 400 property_expansion_max_depth to a fifth level, `data` of a list being one', async () => {
    const { id } = await buy('pm_card_visa')
    const deep = 'latest_invoice.lines.data.pricing.price_details'
    await expectRefusal(stripe.subscriptions.retrieve(id, { expand: [deep] }), {
      statusCode: 400,
      code: 'property_expansion_max_depth',
      message: `You cannot expand more than 4 levels of a property. Property: ${deep}`,
    })
    const listed = stripe.subscriptions.list({ expand: ['data.items.data.price.product'] })
    await expectRefusal(listed, { code: 'property_expansion_max_depth' })
  })

  it('answers 400 with the whole path to what cannot be expanded, and points to `data` in a list', async () => {
    const { id } = await buy('pm_card_visa')
    const refused = async (expand: string) =>
      (await refusal(stripe.subscriptions.retrieve(id, { expand: [expand] }))).message
    expect(await refused('latest_invoice.payment_intent')).toBe(
      'This property cannot be expanded (latest_invoice.payment_intent).',
    )
    expect(await refused('metadata')).toBe('This property cannot be expanded (metadata).')
    const listed = await refusal(stripe.subscriptions.list({ expand: ['customer'] }))
    expect([listed.statusCode, listed.message]).toEqual([
      400,
      "This property cannot be expanded (customer). You may want to try expanding 'data.customer' instead.",
    ])
  })
})
