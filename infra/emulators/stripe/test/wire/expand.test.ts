import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { type Kind, kinds } from '../../state/state.ts'
import { StripeFault } from '../../wire/errors.ts'
import { render } from '../../wire/expand.ts'
import expandable from '../../wire/expandable.json' with { type: 'json' }
import { isRecord } from '../../wire/wire.ts'
import { expandableText } from '../spec/expandableOf.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

/** Objects of most kinds, by what they say they are. */
async function everyObject(): Promise<Map<string, object[]>> {
  const paid = await emulator.buy('pm_card_createDispute', { discounts: [{ coupon: 'HALF' }] })
  await stripe.subscriptionSchedules.create({ from_subscription: paid.id })
  const { customer } = paid
  await stripe.setupIntents.create({ customer: String(customer) })
  await stripe.customers.createTaxId(String(customer), { type: 'eu_vat', value: 'DE123456789' })
  const other = await emulator.buy()
  const { id: invoice } = await emulator.newestInvoice(other.id)
  const [charge] = (await stripe.charges.list({ customer: String(other.customer) })).data
  await stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 })
  await stripe.creditNotes.create({ invoice, amount: 100, out_of_band_amount: 100 })
  const store: Record<string, unknown> = { ...emulator.core.control.state() }
  const rows = kinds.flatMap((kind: Kind) => (Array.isArray(store[kind]) ? store[kind] : [])).filter(isRecord)
  return Map.groupBy([...rows, ...rows.flatMap(listed)], (row) => String(row.object))
}

/** The objects that an object lists, such as the lines of an invoice. */
function listed(row: Record<string, unknown>): Record<string, unknown>[] {
  return ['items', 'lines'].flatMap((name) => {
    const list = row[name]
    return isRecord(list) && Array.isArray(list.data) ? list.data.filter(isRecord) : []
  })
}

const objects = await everyObject()

/** How the emulator answers a request to expand a member: `shown`, or the status of its refusal. */
function expanding(object: object, name: string): string | number {
  const control = emulator.core.control.state()
  const context = {
    store: {
      get: (kind: Kind, id: string) => rowsOf(control, kind).find((row) => row.id === id),
      all: (kind: Kind) => rowsOf(control, kind),
    },
    now: control.now,
    settings: {},
  }
  try {
    render(Object.assign(Object.create(null), context), object, [name])
    return 'shown'
  } catch (error) {
    if (error instanceof StripeFault) return error.status
    throw error
  }
}
function rowsOf(state: object, kind: Kind): Record<string, unknown>[] {
  const rows: unknown = Object.entries(state).find(([name]) => name === kind)?.[1]
  return Array.isArray(rows) ? rows.filter(isRecord) : []
}

describe('What Stripe’s file marks expandable', () => {
  const cases = Object.entries(expandable).flatMap(([type, { references, hidden }]) =>
    [...references, ...hidden].flatMap((name) =>
      (objects.get(type) ?? []).slice(0, 3).map((row) => ({ type, name, row })),
    ),
  )

  it('is met by objects of nearly every kind in this test', () => {
    expect(Object.keys(expandable).filter((type) => !objects.has(type))).toEqual(['deleted_discount'])
    expect(cases.length).toBeGreaterThan(150)
  })

  it('is expanded, or 501, and never said to be unexpandable', () => {
    const answers = cases.map(({ type, name, row }) => ({ name: `${type}.${name}`, answer: expanding(row, name) }))
    expect(answers.filter(({ answer }) => answer !== 'shown' && answer !== 501)).toEqual([])
    const refused = new Set(answers.filter(({ answer }) => answer === 501).map(({ name }) => name))
    expect([...refused].sort()).toEqual([
      'coupon.currency_options',
      'customer.cash_balance',
      'promotion_code.restrictions.currency_options',
    ])
  })

  it('is as its program lists it, where STRIPE_SPEC names a file', () => {
    const file = process.env.STRIPE_SPEC
    const mini = {
      components: {
        schemas: {
          price: {
            required: ['product'],
            properties: {
              product: { anyOf: [{ type: 'string' }], 'x-expansionResources': {} },
              tiers: { type: 'array', items: { $ref: '#/components/schemas/price_tier' } },
              recurring: { anyOf: [{ $ref: '#/components/schemas/recurring' }] },
            },
            'x-expandableFields': ['product', 'recurring', 'tiers'],
          },
          recurring: {
            properties: { meter: { anyOf: [{ type: 'string' }], 'x-expansionResources': {} } },
            'x-expandableFields': ['meter'],
          },
        },
      },
    }
    expect(JSON.parse(expandableText(mini, ['price']))).toEqual({
      price: { references: ['product', 'recurring.meter'], hidden: ['tiers'] },
    })
    if (file === undefined) return
    const listed = expandableText(JSON.parse(readFileSync(file, 'utf8')), Object.keys(expandable))
    expect(JSON.parse(listed)).toEqual(expandable)
  })
})

describe('expand', () => {
  it('shows a price in its own currency, without tiers, and answers 400 for what Stripe cannot expand either', async () => {
    const price = await stripe.prices.retrieve(emulator.ota, { expand: ['currency_options', 'tiers'] })
    expect(price.currency_options).toMatchObject({ usd: { unit_amount: 4900, custom_unit_amount: null } })
    expect(price).not.toHaveProperty('tiers')
    await expectRefusal(stripe.prices.retrieve(emulator.ota, { expand: ['nickname'] }), { statusCode: 400 })
  })

  it('shows the default source of a customer as a card', async () => {
    const { id } = await stripe.customers.create({ source: 'tok_visa' })
    const { default_source: plain } = await stripe.customers
      .retrieve(id)
      .then((found) => ({ default_source: null, ...found }))
    const expanded = await stripe.customers.retrieve(id, { expand: ['default_source'] })
    expect(expanded).toMatchObject({ default_source: { id: plain, object: 'card', last4: '4242' } })
  })

  it('follows the references that an object keeps deep inside', async () => {
    const { id } = await emulator.buy('pm_card_visa', { discounts: [{ coupon: 'HALF' }] })
    const schedule = await stripe.subscriptionSchedules.create({
      from_subscription: id,
      expand: ['phases.items.price'],
    })
    expect(schedule.phases[0]?.items[0]?.price).toMatchObject({ id: emulator.ota, unit_amount: 4900 })
    const invoice = await stripe.invoices.list({ subscription: id, expand: ['data.total_discount_amounts.discount'] })
    expect(invoice.data[0]?.total_discount_amounts?.[0]?.discount).toMatchObject({ object: 'discount' })
  })
})
