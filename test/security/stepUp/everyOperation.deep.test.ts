import { describe, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { expectServed, servedWithout } from './stepUpOperations.ts'

const bed = useBillingStack()

describe('A request whose sign-in is older than ten minutes', () => {
  it.each(servedWithout)('%s is served', (_, row) => expectServed(bed.stack, row))
})
