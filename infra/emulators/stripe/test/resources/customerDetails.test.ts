import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

const newCustomer = async (params: Stripe.CustomerCreateParams = {}) => (await stripe.customers.create(params)).id
type TaxIdType = Stripe.CustomerCreateTaxIdParams.Type

describe("Given a customer's details", () => {
  it('unsets name, email, address and a single metadata key by empty text', async () => {
    const id = await newCustomer({
      name: 'Acme',
      email: 'pay@acme.test',
      address: { country: 'de', city: 'Berlin' },
      metadata: { a: '1', b: '2' },
    })
    expect(await stripe.customers.retrieve(id)).toMatchObject({ address: { country: 'DE', line1: null } })
    const cleared = { name: '', email: '', address: '', metadata: { a: '' }, preferred_locales: ['de', 'en'] } as const
    expect(await stripe.customers.update(id, { ...cleared, preferred_locales: ['de', 'en'] })).toMatchObject({
      name: null,
      email: null,
      address: null,
      metadata: { b: '2' },
      preferred_locales: ['de', 'en'],
    })
  })

  it.each([
    [{ email: 'nobody' }, { code: 'email_invalid', param: 'email', message: 'Invalid email address: nobody' }],
    [{ address: { country: 'XQ' } }, { param: 'address[country]' }],
    [{ address: { country: 'Germany' } }, { param: 'address[country]' }],
    [{ tax_exempt: 'always' }, { param: 'tax_exempt' }],
    [{ address: '', tax: { validate_location: 'immediately' } } as const, { code: 'customer_tax_location_invalid' }],
  ])('refuses %j', async (params, expected) => {
    const id = await newCustomer()
    await expectRefusal(stripe.customers.update(id, params), { statusCode: 400, ...expected })
  })

  it('says with expand[]=tax whether automatic tax can be computed', async () => {
    const taxOf = async (address: Stripe.AddressParam) => {
      const id = await newCustomer({ address })
      const customer = await stripe.customers.retrieve(id, { expand: ['tax'] })
      return customer.deleted ? undefined : customer.tax
    }
    expect(await taxOf({ country: 'US', state: 'CA', postal_code: '94103' })).toMatchObject({
      automatic_tax: 'supported',
      location: { country: 'US', state: 'CA', source: 'billing_address' },
    })
    expect(await taxOf({ country: 'US' })).toMatchObject({ automatic_tax: 'unrecognized_location', location: null })
  })
})

describe('Given the tax ids of a customer', () => {
  it('adds, reads, lists and deletes them, and shows them on the customer only when expanded', async () => {
    const { customers, events } = stripe
    const id = await newCustomer()
    const vat = await customers.createTaxId(id, { type: 'eu_vat', value: 'DE123456789' })
    expect(vat).toMatchObject({
      object: 'tax_id',
      country: 'DE',
      customer: id,
      owner: { type: 'customer', customer: id },
      verification: { status: 'pending' },
    })
    const ein = await customers.createTaxId(id, { type: 'us_ein', value: '12-3456789' })
    expect(ein.verification).toMatchObject({ status: 'unavailable' })
    expect((await customers.listTaxIds(id, { limit: 1 })).data.map((row) => row.id)).toEqual([ein.id])
    const verified = await customers.retrieveTaxId(id, vat.id)
    expect(verified.verification).toMatchObject({ status: 'verified', verified_name: expect.any(String) })
    expect(await customers.retrieve(id)).not.toHaveProperty('tax_ids')
    const found = await customers.retrieve(id, { expand: ['tax_ids'] })
    expect(found).toMatchObject({ tax_ids: { object: 'list', data: [ein, verified] } })
    expect(await customers.deleteTaxId(id, vat.id)).toEqual({ id: vat.id, object: 'tax_id', deleted: true })
    await expectRefusal(customers.retrieveTaxId(id, vat.id), { statusCode: 404, code: 'resource_missing' })
    const types = (await events.list({ limit: 100 })).data.map(({ type }) => type).reverse()
    expect(types.filter((type) => type.startsWith('customer.tax_id'))).toEqual([
      'customer.tax_id.created',
      'customer.tax_id.updated',
      'customer.tax_id.created',
      'customer.tax_id.deleted',
    ])
  })

  it('verifies a German VAT id of ones as unverified and leaves one of twos pending', async () => {
    const id = await newCustomer()
    const statusOf = async (value: string) => {
      const { id: taxId } = await stripe.customers.createTaxId(id, { type: 'eu_vat', value })
      return (await stripe.customers.retrieveTaxId(id, taxId)).verification?.status
    }
    expect([await statusOf('DE111111111'), await statusOf('DE222222222')]).toEqual(['unverified', 'pending'])
  })

  it('takes values that look like their type', async () => {
    const tax_id_data = [
      ['eu_vat', 'FRAB123456789'],
      ['eu_vat', 'EL123456789'],
      ['gb_vat', 'GB123456789'],
      ['ch_vat', 'CHE-123.456.789 MWST'],
      ['de_stn', '1234567890'],
      ['in_gst', '12ABCDE3456FGZH'],
      ['au_abn', '12345678912'],
      ['ca_bn', '123456789'],
      ['th_vat', 'anything'],
    ].map(([type = '', value = '']) => ({ type, value }))
    const id = await newCustomer({ tax_id_data })
    const { data } = await stripe.customers.listTaxIds(id)
    expect(data.map(({ country }) => country).reverse()).toEqual(['FR', 'GR', 'GB', 'CH', 'DE', 'IN', 'AU', 'CA', 'TH'])
  })

  it.each<[TaxIdType, string]>([
    ['eu_vat', 'DE12345678'],
    ['eu_vat', 'US123456789'],
    ['eu_vat', 'GB123456789'],
    ['us_ein', '123456789'],
    ['ch_vat', 'CHE-123'],
    ['in_gst', 'x'],
    ['au_abn', '1'],
    ['ca_bn', '12'],
  ])('refuses for %s the value %s', async (type, value) => {
    await expectRefusal(stripe.customers.createTaxId(await newCustomer(), { type, value }), {
      statusCode: 400,
      code: 'tax_id_invalid',
      param: 'value',
      message: `Invalid value for ${type}.`,
    })
  })

  it('refuses an unknown type, an unknown customer, and a customer whose tax ids are wrong', async () => {
    const { customers } = stripe
    const id = await newCustomer()
    await expectRefusal(customers.createTaxId(id, { type: 'zz_vat', value: '1' }), { statusCode: 400, param: 'type' })
    const refused = customers.createTaxId('cus_unknown', { type: 'eu_vat', value: 'DE123456789' })
    await expectRefusal(refused, { statusCode: 404, code: 'resource_missing', param: 'customer' })
    const before = (await customers.list()).data.length
    const tax_id_data = [{ type: 'eu_vat' as const, value: 'x' }]
    await expectRefusal(customers.create({ tax_id_data }), { code: 'tax_id_invalid', param: 'tax_id_data[0][value]' })
    expect((await customers.list()).data).toHaveLength(before)
  })
})
