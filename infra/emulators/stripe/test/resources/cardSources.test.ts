import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = eachTest(openEmulator)
const customers = () => emulator().stripe.customers
const newest = async (count: number) => (await emulator().eventTypes()).slice(-count)

describe('A card that is saved by a token', () => {
  it('is the default source of a new customer, and pays', async () => {
    const customer = await customers().create({ source: 'tok_mastercard', expand: ['sources'] })
    expect(customer.default_source).toMatch(/^card_\w{24}$/)
    expect(customer.sources?.data).toMatchObject([
      { id: customer.default_source, object: 'card', brand: 'MasterCard', last4: '4444', customer: customer.id },
    ])
    expect(await newest(3)).toEqual(['payment_method.attached', 'customer.created', 'customer.source.created'])
    const { id } = await emulator().subscribe(customer.id)
    expect(await emulator().statusOf(id)).toBe('active')
    const found = await emulator().stripe.paymentMethods.retrieve(String(customer.default_source))
    expect(found).toMatchObject({ type: 'card', card: { brand: 'mastercard' } })
  })

  it('pays last: a default payment method goes before it', async () => {
    const { id } = await emulator().customerWith('pm_card_visa', { source: 'tok_chargeCustomerFail' })
    expect((await emulator().subscribe(id)).status).toBe('active')
  })

  it('is added, read, changed and deleted', async () => {
    const { id } = await customers().create()
    const first = await customers().createSource(id, { source: 'tok_visa', metadata: { a: '1' } })
    const second = await customers().createSource(id, { source: 'tok_amex' })
    expect(await customers().retrieve(id)).toMatchObject({ default_source: first.id })
    expect((await customers().listSources(id)).data.map((row) => row.id)).toEqual([second.id, first.id])
    expect((await customers().listSources(id, { object: 'bank_account' })).data).toEqual([])
    expect(await customers().retrieveSource(id, first.id)).toMatchObject({ metadata: { a: '1' }, brand: 'Visa' })
    const changed = await customers().updateSource(id, first.id, { metadata: { b: '2' }, exp_month: '3' })
    expect(changed).toMatchObject({ exp_month: 3, metadata: { a: '1', b: '2' } })
    expect(await newest(1)).toEqual(['customer.source.updated'])
    expect(await customers().update(id, { default_source: second.id })).toMatchObject({ default_source: second.id })
    expect(await customers().deleteSource(id, second.id)).toMatchObject({ id: second.id, deleted: true })
    expect(await newest(3)).toEqual(['customer.updated', 'payment_method.detached', 'customer.source.deleted'])
    expect(await customers().retrieve(id)).toMatchObject({ default_source: null })
    await expectRefusal(customers().retrieveSource(id, second.id), { statusCode: 404 })
    await expectRefusal(customers().update(id, { default_source: second.id }), { param: 'default_source' })
  })

  it('replaces the default source of a customer who is updated, which is deleted', async () => {
    const { id, default_source } = await customers().create({ source: 'tok_visa' })
    const updated = await customers().update(id, { source: 'tok_jcb' })
    expect(updated.default_source).not.toBe(default_source)
    expect((await customers().listSources(id)).data).toMatchObject([{ id: updated.default_source, brand: 'JCB' }])
    expect((await newest(10)).filter((type) => type === 'customer.updated')).toHaveLength(1)
    const both = customers().update(id, { source: 'tok_visa', default_source: String(updated.default_source) })
    await expectRefusal(both, { code: 'parameters_exclusive' })
  })

  it('is refused if it declines, is unknown, or would pay what is past due', async () => {
    const { id } = await customers().create()
    await expectRefusal(customers().createSource(id, { source: 'tok_visa_chargeDeclined' }), { statusCode: 402 })
    const unknown = { statusCode: 400, code: 'resource_missing', param: 'source' }
    await expectRefusal(customers().createSource(id, { source: 'tok_madeUp' }), unknown)
    await expectRefusal(customers().create({ source: 'pm_card_visa' }), unknown)
    await expectRefusal(customers().create({ source: 'tok_avsFail' }), { statusCode: 501, param: 'source' })
    const { id: subscription, customer } = await emulator().buy()
    await emulator().replaceCard(String(customer), 'pm_card_chargeCustomerFail')
    await emulator().advance(32 * 86_400)
    expect(await emulator().statusOf(subscription)).toBe('past_due')
    await expectRefusal(customers().update(String(customer), { source: 'tok_visa' }), { statusCode: 501 })
  })
})
