import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = eachTest(openEmulator)
const stripe = () => emulator().stripe

/** The charge of a new subscription paid with this card. */
async function charged(card = 'pm_card_visa') {
  const { id, customer } = await emulator().buy(card)
  const [charge] = (await stripe().charges.list({ customer: String(customer) })).data
  if (charge === undefined) throw new Error('nothing was charged')
  return { subscription: id, charge }
}

/** The dispute of a new charge. */
async function disputed() {
  const { charge } = await charged('pm_card_createDispute')
  const [dispute] = (await stripe().disputes.list({ charge: charge.id })).data
  if (dispute === undefined) throw new Error('nothing was disputed')
  return dispute
}

describe('A dispute', () => {
  it('is opened by a charge of pm_card_createDispute, which pays the subscription all the same', async () => {
    const { subscription, charge } = await charged('pm_card_createDispute')
    expect((await stripe().subscriptions.retrieve(subscription)).status).toBe('active')
    expect(charge).toMatchObject({ status: 'succeeded', disputed: true, amount: 4900 })
    expect((await stripe().disputes.list()).data).toMatchObject([
      { object: 'dispute', charge: charge.id, amount: 4900, reason: 'fraudulent', status: 'needs_response' },
    ])
    expect(await emulator().eventTypes()).toEqual(
      expect.arrayContaining(['charge.dispute.created', 'charge.dispute.funds_withdrawn']),
    )
  })

  it('is opened by the control for any paid charge, once', async () => {
    const { charge } = await charged()
    const open = () => emulator().control('POST', '/disputes', { charge: charge.id, reason: 'duplicate', amount: 900 })
    expect(await open()).toMatchObject({ object: 'dispute', reason: 'duplicate', amount: 900 })
    expect(await open()).toMatchObject({ error: { type: 'invalid_request_error', param: 'charge' } })
    const found = await emulator().control('POST', '/disputes', { charge: 'ch_none' })
    expect(found).toMatchObject({ error: { code: 'resource_missing' } })
  })

  it.each([
    ['lost', ['charge.dispute.closed']],
    ['won', ['charge.dispute.closed', 'charge.dispute.funds_reinstated']],
  ] as const)('is closed as %s by the control', async (status, events) => {
    const dispute = await disputed()
    const close = () => emulator().control('POST', '/disputes/close', { id: dispute.id, status })
    expect(await close()).toMatchObject({ id: dispute.id, status })
    expect((await emulator().eventTypes()).slice(-events.length)).toEqual(events)
    expect(await close()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it.each([
    ['winning_evidence', 'won'],
    ['losing_evidence', 'lost'],
    ['a letter', 'under_review'],
  ])('answered with %s is %s', async (uncategorized_text, status) => {
    const dispute = await disputed()
    const answered = await stripe().disputes.update(dispute.id, { evidence: { uncategorized_text } })
    expect(answered).toMatchObject({ status, evidence_details: { has_evidence: true, submission_count: 1 } })
  })

  it.each([
    ['pm_card_createDisputeProductNotReceived', 'product_not_received', 'needs_response'],
    ['pm_card_createDisputeInquiry', 'fraudulent', 'warning_needs_response'],
  ])('is opened by a charge of %s', async (card, reason, status) => {
    const { charge } = await charged(card)
    expect((await stripe().disputes.list({ charge: charge.id })).data).toMatchObject([{ reason, status }])
  })

  it('is only an inquiry at first if the bank asks: no money is taken, and none comes back', async () => {
    const { charge } = await charged('pm_card_createDisputeInquiry')
    const [inquiry] = (await stripe().disputes.list({ charge: charge.id })).data
    expect(inquiry).toMatchObject({ is_charge_refundable: true })
    const id = inquiry?.id ?? ''
    const escalated = stripe().disputes.update(id, { evidence: { uncategorized_text: 'escalate_inquiry_evidence' } })
    await expectRefusal(escalated, { statusCode: 501 })
    const answered = await stripe().disputes.update(id, { evidence: { uncategorized_text: 'a letter' } })
    expect(answered.status).toBe('warning_under_review')
    await stripe().refunds.create({ charge: charge.id, amount: 100 })
    expect((await stripe().disputes.close(id)).status).toBe('warning_closed')
    const types = await emulator().eventTypes()
    expect(types.filter((type) => type.startsWith('charge.dispute.funds'))).toEqual([])
    expect(types.at(-1)).toBe('charge.dispute.closed')
  })

  it('is accepted by closing it through the API: lost', async () => {
    const dispute = await disputed()
    expect((await stripe().disputes.close(dispute.id)).status).toBe('lost')
  })

  it('is listed by charge, payment intent and time', async () => {
    const { charge } = await charged('pm_card_createDispute')
    await charged('pm_card_createDispute')
    const { disputes } = stripe()
    const now = emulator().core.now()
    const count = async (params: object) => (await disputes.list(params)).data.length
    expect(await count({})).toBe(2)
    expect(await count({ charge: charge.id })).toBe(1)
    expect(await count({ payment_intent: String(charge.payment_intent) })).toBe(1)
    expect(await count({ created: { gte: now - 100 } })).toBe(2)
    expect(await count({ created: { gt: now + 100 } })).toBe(0)
    const [one] = (await disputes.list({ limit: 1, expand: ['data.charge'] })).data
    expect(await disputes.retrieve(one?.id ?? '')).toMatchObject({ id: one?.id })
    await expectRefusal(disputes.retrieve('dp_none'), { statusCode: 404 })
  })

  it('keeps its charge from being refunded until it is won', async () => {
    const { id, charge } = await disputed()
    const refund = () => stripe().refunds.create({ charge: String(charge) })
    await expectRefusal(refund(), { statusCode: 400, code: 'charge_disputed' })
    await emulator().control('POST', '/disputes/close', { id, status: 'won' })
    expect((await refund()).status).toBe('succeeded')
  })
})

describe('POST /_emulator/dashboard', () => {
  it('refunds, cancels and edits without a request of the API', async () => {
    const { subscription, charge } = await charged()
    const act = (method: string, path: string, params: object = {}) =>
      emulator().control('POST', '/dashboard', { method, path, params })
    expect(await act('POST', '/v1/refunds', { charge: charge.id, amount: 100 })).toMatchObject({ amount: 100 })
    await act('POST', `/v1/subscriptions/${subscription}`, { metadata: { note: 'by hand' } })
    const found = await act('DELETE', `/v1/subscriptions/${subscription}`)
    expect(found).toMatchObject({ status: 'canceled', metadata: { note: 'by hand' } })
    const [last] = (await stripe().events.list({ limit: 1 })).data
    expect(last).toMatchObject({ type: 'customer.subscription.deleted', request: { id: null } })
    const after = await act('DELETE', `/v1/subscriptions/${subscription}`)
    expect(after).toMatchObject({ error: { code: 'resource_missing' } })
  })
})
