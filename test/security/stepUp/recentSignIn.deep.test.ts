import { describe, expect, it } from '@jest/globals'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { withBody } from './asking.ts'
import { flagged, result, servedEvent } from './stepUpOperations.ts'

const bed = useBillingStack()

describe('A request whose sign-in is recent', () => {
  it.each(flagged.map((operation) => [operation.row.name, operation] as const))(
    '%s is served',
    async (_, { row, contract }) => {
      const { event, expectedStatus } = await servedEvent(bed.stack, row)
      const asking = withBody(event, contract.recentSignIn, true)
      if (asking === undefined) throw new Error('no body asks')
      expect(result.parse(await invokeFunction(row, asking)).statusCode).toBe(expectedStatus)
    },
  )
})
