import { afterEach, expect } from '@jest/globals'
import { type BillingStack, type BillingStackOptions, useBillingStack } from '../support/billingStack.ts'

/**
 * After every test: clears faults, held webhooks and recorded requests, and fails where an event was not acknowledged, the
 * emulator found a broken rule, or an organization has two live subscriptions of one product.
 */
export function cleanAfterEach(bed: { readonly stack: BillingStack }): void {
  afterEach(async () => {
    const { emulator, dynamoDb, stripe } = bed.stack
    dynamoDb.reset()
    await emulator.clearFaults()
    await emulator.webhooks('deliver')
    const delivered = await emulator.flush()
    expect(delivered.filter(({ status }) => status !== 200)).toEqual([])
    expect(await emulator.violations()).toEqual([])

    const all = await stripe.subscriptions.list({ status: 'all', limit: 100 }).autoPagingToArray({ limit: 1000 })
    const open = all.filter(({ status }) => status !== 'canceled' && status !== 'incomplete_expired')
    const places = open.map(({ metadata }) => `${metadata.organization_id} ${metadata.product}`)
    expect(places).toEqual([...new Set(places)])
    await emulator.clearRequests()
  })
}

/** A stack for the tests of one file, with `cleanAfterEach`. */
export function useCleanStack(options?: BillingStackOptions): { readonly stack: BillingStack } {
  const bed = useBillingStack(options)
  cleanAfterEach(bed)
  return bed
}
