import { afterEach } from '@jest/globals'
import type { BillingStack } from '../../../support/billingStack.ts'
import { replacePrice } from '../../listPrices.ts'

/** Seconds longer than a price list is kept. */
const aWhile = 301

type Replacement = Parameters<typeof replacePrice> extends [unknown, ...infer Rest] ? Rest : never

/** Replaces prices for a test, after which the old prices are back. */
export function useOtherPrices(bed: { readonly stack: BillingStack }) {
  const restore: (() => Promise<unknown>)[] = []
  const letListsExpire = () => bed.stack.emulator.advance(aWhile)
  afterEach(async () => {
    for (const undo of restore.splice(0)) await undo()
    await letListsExpire()
  })
  return {
    async replace(...replacement: Replacement): Promise<void> {
      restore.push(await replacePrice(bed.stack, ...replacement))
    },
    /** Until then a price list that is kept may have the old prices. */
    letListsExpire,
  }
}
