import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type StripeServer, startStripeServer } from 'stripe-emulator'
import { catalogCoupons, catalogProducts } from '../../../infra/data/catalog.ts'
import { setUpStripe } from '../../../infra/stripe/setUpStripe.ts'
import { stripeClient } from '../../../infra/stripe/stripeClient.ts'
import { readEvent } from '../../../lib/adapters/stripe/readEvent.ts'
import { gatewayEventTypes, subscriptionEventTypes } from '../../../lib/billing/gateway/gatewayEvent.ts'

const secretKey = 'sk_test_setup'
const webhookUrl = 'https://console.example.com/stripe'

let server: StripeServer
let stripe: ReturnType<typeof stripeClient>
beforeEach(async () => {
  server = await startStripeServer({ secretKey })
  stripe = stripeClient(server.apiBase, secretKey)
})
afterEach(() => server.close())

const setUp = () => setUpStripe(stripe, { webhookUrl })
const doneOf = (steps: { done: string }[]) => [...new Set(steps.map(({ done }) => done))]
const writes = () => server.core.control.requests().filter(({ method }) => method !== 'GET')

describe('npm run stripe:setup', () => {
  describe('Given an empty account', () => {
    it('creates products, prices with plan codes, coupons, promotion codes and the webhook endpoint', async () => {
      const { steps, webhookSecret } = await setUp()
      expect(doneOf(steps)).toEqual(['made'])
      expect(steps).toHaveLength(2 * catalogProducts.length + 2 * catalogCoupons.length + 1)
      const { data: prices } = await stripe.prices.list({ lookup_keys: catalogProducts.map((row) => row.planCode) })
      expect(new Map(prices.map((price) => [price.lookup_key, price.unit_amount]))).toEqual(
        new Map(catalogProducts.map((row) => [row.planCode, row.unitAmount])),
      )
      expect((await stripe.webhookEndpoints.list()).data).toMatchObject([
        { url: webhookUrl, enabled_events: [...gatewayEventTypes], api_version: '2026-10-28.endive' },
      ])
      expect(webhookSecret).toMatch(/^whsec_/)
    })
  })

  describe('Given an account that is partly set up', () => {
    it('creates what is missing: the price of a product, the promotion code of a coupon', async () => {
      await stripe.products.create({ id: 'prod_ota', name: 'Over-the-air updates' })
      await stripe.coupons.create({ id: 'welcome-25', name: 'Welcome: 25 % off', percent_off: 25, duration: 'once' })
      const { steps } = await setUp()
      expect(steps.flatMap(({ done, what }) => (done === 'made' ? [] : [`${done} ${what}`]))).toEqual([
        'kept product prod_ota',
        'kept coupon welcome-25',
      ])
      const [code] = (await stripe.promotionCodes.list({ code: 'WELCOME25' })).data
      expect(code).toMatchObject({ active: true, promotion: { coupon: 'welcome-25' } })
    })
  })

  describe('Given an account that is set up', () => {
    beforeEach(async () => {
      await setUp()
      server.core.control.clearRequests()
    })

    it('keeps everything, writes nothing and returns no secret', async () => {
      const before = server.core.snapshot()
      const { steps, webhookSecret } = await setUp()
      expect([doneOf(steps), webhookSecret, writes()]).toEqual([['kept'], undefined, []])
      expect(server.core.snapshot()).toEqual(before)
    })

    it('moves the plan code to a new price where the amount differs, and keeps the old price for its subscribers', async () => {
      const [old] = (await stripe.prices.list({ lookup_keys: ['base_ota'] })).data
      const wrong = await stripe.prices.create({
        product: 'prod_ota',
        currency: 'usd',
        unit_amount: 1,
        recurring: { interval: 'month' },
        lookup_key: 'base_ota',
        transfer_lookup_key: true,
      })
      const { steps } = await setUp()
      expect(steps.filter(({ done }) => done !== 'kept')).toEqual([
        { done: 'changed', what: 'price base_ota, 49.00 usd a month' },
      ])
      const { data } = await stripe.prices.list({ lookup_keys: ['base_ota'] })
      expect(data).toMatchObject([{ active: true, unit_amount: 4900 }])
      expect([old?.id, wrong.id]).not.toContain(data[0]?.id)
      expect(await stripe.prices.retrieve(wrong.id)).toMatchObject({ active: true, lookup_key: null })
    })

    it('replaces a price that was archived with its plan code', async () => {
      const [price] = (await stripe.prices.list({ lookup_keys: ['base_ota'] })).data
      await stripe.prices.update(price?.id ?? '', { active: false })
      await setUp()
      const { data } = await stripe.prices.list({ lookup_keys: ['base_ota'], active: true })
      expect(data).toMatchObject([{ unit_amount: 4900 }])
    })

    it('corrects names and events', async () => {
      await stripe.products.update('prod_ota', { name: 'Other', active: false })
      await stripe.coupons.update('welcome-25', { name: 'Other' })
      const [endpoint] = (await stripe.webhookEndpoints.list()).data
      await stripe.webhookEndpoints.update(endpoint?.id ?? '', { enabled_events: ['invoice.paid'], disabled: true })
      const { steps } = await setUp()
      expect(steps.flatMap(({ done, what }) => (done === 'kept' ? [] : [`${done} ${what}`]))).toEqual([
        'changed product prod_ota',
        'changed coupon welcome-25',
        `changed webhook endpoint ${webhookUrl}`,
      ])
      expect(doneOf((await setUp()).steps)).toEqual(['kept'])
      expect((await stripe.webhookEndpoints.list()).data).toMatchObject([
        { status: 'enabled', enabled_events: [...gatewayEventTypes] },
      ])
    })

    it('reports a coupon with other terms, which cannot be changed', async () => {
      await stripe.coupons.del('welcome-25')
      await stripe.coupons.create({ id: 'welcome-25', percent_off: 20, duration: 'once' })
      const differing = (await setUp()).steps.filter(({ done }) => done === 'differs')
      expect(differing).toMatchObject([{ what: expect.stringContaining('coupon welcome-25') }])
      expect(await stripe.coupons.retrieve('welcome-25')).toMatchObject({ percent_off: 20 })
    })
  })
})

describe('The events of the webhook endpoint', () => {
  const object = {
    id: 'x_1',
    customer: 'cus_1',
    payment_method: 'pm_1',
    collection_method: 'send_invoice',
    metadata: {},
    parent: { subscription_details: { subscription: 'sub_1', metadata: {} } },
  }

  it.each(subscriptionEventTypes)('%s is projected to its subscription', (type) => {
    expect(readEvent({ type, created: 1, data: { object } }).kind).toBe('subscription')
  })

  it.each(gatewayEventTypes)('%s is projected', (type) => {
    expect(readEvent({ type, created: 1, data: { object } }).kind).not.toBe('other')
  })
})
