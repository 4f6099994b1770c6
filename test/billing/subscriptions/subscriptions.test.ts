import { describe, expect, it } from '@jest/globals'
import { openInvoiceOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { toRfc3339 } from '../../../lib/core/clock.ts'
import { errorBody } from '../../support/errorBody.ts'
import { buyUnauthenticated } from '../checkout/buyUnauthenticated.ts'
import { subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { listedOn } from './listedSubscriptions.ts'

const bed = useCleanStack()

const { list, inShort } = listedOn(bed)

describe('GET /api/billing/subscriptions/{product}', () => {
  it('answers what the list has of a product, and is 404 if it has nothing', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const [listed] = await list(organizationId)
    const get = (product: string) => stack.get(`subscriptions/${product}`, organizationId, 'member')
    expect(await get('ota')).toEqual({ status: 200, body: listed })
    const detail = 'Subscription not found'
    expect(await get('monitoring')).toMatchObject({ status: 404, body: errorBody(detail, 'not_subscribed') })
    expect(await get('boat')).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'product'] }] } })
    expect((await stack.get('subscriptions/ota', organizationId, 'stranger')).status).toBe(404)
  })

  it('shows a member no page of an open invoice', async () => {
    const { stack } = bed
    const organizationId = await openInvoiceOrganization(stack.client, 7)
    const page = async (as: 'owner' | 'member') => (await stack.get('subscriptions/ota', organizationId, as)).body
    expect(await page('owner')).toMatchObject({ hosted_invoice_url: expect.stringMatching(/^http/) })
    expect(await page('member')).toMatchObject({ hosted_invoice_url: null })
  })
})

describe('GET /api/billing/subscriptions', () => {
  it('returns every member of each product that was bought, to every member, in one read and while the gateway is unavailable', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    expect(await list(organizationId)).toEqual([])
    const { code } = await stack.newCoupon()
    await stack.checkout(organizationId, ['addon_monitoring', 'base_ota'], { card, coupon: code })
    await stack.checkout(organizationId, ['base_ota'], { card })
    await stack.cancel(organizationId, { product: 'ota', at_period_end: true })
    await stack.emulator.flush()
    const all = await stack.subscriptions(organizationId)
    const shared = { status: 'active', ended_at: null, gateway: 'card', action: 'none', hosted_invoice_url: null }
    const priceOf = (amount: number) => ({ amount, currency: 'usd', interval: 'month', interval_count: 1 })
    const end = (product: string) => {
      const found = all.find(({ metadata }) => metadata.product === product)
      return toRfc3339((found?.items.data[0]?.current_period_end ?? 0) * 1000)
    }
    const ota = { product: 'ota', plan_code: 'base_ota', current_period_end: end('ota'), cancel_at: end('ota') }
    const monitoring = { product: 'monitoring', plan_code: 'addon_monitoring', current_period_end: end('monitoring') }
    const subscriptions = [
      { ...shared, ...ota, coupon_code: null, price: priceOf(4900), next_charge: null },
      {
        ...shared,
        ...monitoring,
        cancel_at: null,
        coupon_code: code,
        price: priceOf(1900),
        next_charge: { amount: 1900, at: end('monitoring') },
      },
    ]

    await stack.emulator.fault({ method: 'GET', path: '/v1/*', kind: 'status', status: 503, times: 100 })
    const tokens = [await stack.token('owner'), await stack.token('billing_admin'), await stack.token('member')]
    await stack.emulator.clearRequests()
    for (const token of tokens) {
      stack.dynamoDb.reset()
      const path = `/api/billing/subscriptions?organization_id=${organizationId}`
      const { status, body } = await stack.client.send({ method: 'GET', path, token })
      expect([status, body]).toEqual([200, { subscriptions, next_cursor: null }])
      expect(stack.dynamoDb.calls().map(({ operation }) => operation)).toEqual(['BatchGetItem'])
    }
    expect(await stack.emulator.requests()).toEqual([])
  })

  it('answers a stranger as if the organization did not exist', async () => {
    const { organizationId } = await subscribedOrganization(bed.stack)
    expect(await bed.stack.get('subscriptions', organizationId, 'stranger')).toEqual({
      status: 404,
      body: errorBody('Organization not found', 'organization_not_found'),
    })
  })

  it('has the action of a first payment: to confirm it, to change the card once that failed, and none once it is paid', async () => {
    const { stack } = bed
    const { organizationId, intentId } = await buyUnauthenticated(stack)
    expect(await inShort(organizationId)).toEqual(['ota incomplete confirm_payment'])
    await stack.emulator.flush()
    expect(await inShort(organizationId)).toEqual(['ota incomplete confirm_payment'])
    await stack.emulator.authenticate(intentId, 'fail')
    await stack.emulator.flush()
    expect(await inShort(organizationId)).toEqual(['ota incomplete update_payment_method'])
    const good = await stack.addCard(organizationId, 'pm_card_visa')
    await stack.checkout(organizationId, ['base_ota'], { card: good })
    expect(await inShort(organizationId)).toEqual(['ota active none'])
  })

  it('leaves a purchase out that was only ever declined, and lists one whose outcome is unknown as pending', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['card_declined'])
    expect(await list(organizationId)).toEqual([])
    const good = await stack.addCard(organizationId, 'pm_card_visa')
    await stack.emulator.webhooks('hold')
    await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_after', times: 2 })
    await stack.checkout(organizationId, ['base_ota'], { card: good })
    expect(await inShort(organizationId)).toEqual(['ota pending wait'])
    await stack.emulator.flush()
    expect(await inShort(organizationId)).toEqual(['ota active none'])
  })

  it('lists one that has ended, with when', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    const { ended_at } = await stack.stripe.subscriptions.retrieve(subscriptionId)
    const [ota] = await list(organizationId)
    expect(ota).toMatchObject({ status: 'canceled', ended_at: toRfc3339((ended_at ?? 0) * 1000), action: 'none' })
  })
})
