import { describe, expect, it } from '@jest/globals'
import type { DemoUser } from '../../../../infra/data/demo.ts'
import { products } from '../../../../lib/billing/catalog.ts'
import { onlyFor } from '../../../../lib/http/answer/errorAnswers.ts'
import { errorBody } from '../../../support/errorBody.ts'
import { subscribedOrganization } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

const notSubscribed = { status: 404, body: errorBody('Subscription not found', 'not_subscribed') }

describe('POST /api/billing/cancel', () => {
  it('answers 404 for a product that was never bought, and does not call the gateway', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    await stack.emulator.clearRequests()
    expect(await stack.cancel(organizationId, { product: 'monitoring' })).toEqual(notSubscribed)
    expect(await stack.cancel(await stack.client.newOrganization(), { product: 'ota' })).toEqual(notSubscribed)
    expect(await stack.emulator.requests()).toEqual([])
  })

  it('answers 404 for a product whose purchase was declined', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['card_declined'])
    await stack.emulator.flush()
    expect(await stack.cancel(organizationId, { product: 'ota' })).toEqual(notSubscribed)
  })

  it.each([
    ['member', 403, errorBody(onlyFor.billing_admin, 'forbidden')],
    ['stranger', 404, errorBody('Organization not found', 'organization_not_found')],
  ] as const)('answers a %s with %i, and cancels nothing', async (user: DemoUser, status, body) => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const before = await stack.slot(organizationId)
    await stack.emulator.clearRequests()
    expect(await stack.cancel(organizationId, { product: 'ota' }, user)).toEqual({ status, body })
    expect(await stack.emulator.requests()).toEqual([])
    expect(await stack.slot(organizationId)).toEqual(before)
    expect((await stack.cancel(organizationId, { product: 'ota' }, 'billing_admin')).status).toBe(200)
  })

  describe('Given a body that does not validate', () => {
    const [last, ...others] = products.map((product) => `'${product}'`).toReversed()
    const productEnum = `Input should be ${others.toReversed().join(', ')} or ${last}`
    const boolParsing = 'Input should be a valid boolean, unable to interpret input'
    const boolType = 'Input should be a valid boolean'
    const product = (type: string, msg: string) => ({ loc: ['body', 'product'], msg, type })
    const atPeriodEnd = (type: string, msg: string) => ({ loc: ['body', 'at_period_end'], msg, type })
    const rows = [
      [{}, [product('missing', 'Field required')]],
      [{ product: 'base_ota' }, [product('enum', productEnum)]],
      [{ product: 'OTA' }, [product('enum', productEnum)]],
      [{ product: null }, [product('enum', productEnum)]],
      [{ product: 7 }, [product('enum', productEnum)]],
      [{ product: ['ota'] }, [product('enum', productEnum)]],
      [{ product: 'ota', at_period_end: 'maybe' }, [atPeriodEnd('bool_parsing', boolParsing)]],
      [{ product: 'ota', at_period_end: ' true' }, [atPeriodEnd('bool_parsing', boolParsing)]],
      [{ product: 'ota', at_period_end: '' }, [atPeriodEnd('bool_parsing', boolParsing)]],
      [{ product: 'ota', at_period_end: 2 }, [atPeriodEnd('bool_parsing', boolParsing)]],
      [{ product: 'ota', at_period_end: 0.5 }, [atPeriodEnd('bool_type', boolType)]],
      [{ product: 'ota', at_period_end: null }, [atPeriodEnd('bool_type', boolType)]],
      [{ product: 'ota', at_period_end: [] }, [atPeriodEnd('bool_type', boolType)]],
      [{ product: 'ota', at_period_end: {} }, [atPeriodEnd('bool_type', boolType)]],
      [{ at_period_end: 'x' }, [product('missing', 'Field required'), atPeriodEnd('bool_parsing', boolParsing)]],
    ] as const

    it('answers 422 with each problem, and cancels nothing', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      const before = await stack.slot(organizationId)
      await stack.emulator.clearRequests()
      for (const [body, detail] of rows) {
        expect([body, await stack.cancel(organizationId, body)]).toEqual([body, { status: 422, body: { detail } }])
      }
      expect(await stack.emulator.requests()).toEqual([])
      expect(await stack.slot(organizationId)).toEqual(before)
    })
  })
})
