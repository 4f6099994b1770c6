import { describe, expect, it } from '@jest/globals'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const rows: readonly FunctionRow[] = manifest
const bed = useBillingStack()

// Every story, and that each permission is made use of, is in the deep tests.
describe('The manifest’s permissions', () => {
  it('suffice for the served sample of every function', async () => {
    const { stack } = bed
    for (const row of rows) {
      if (row.samples.served === undefined) continue
      const { event } = await fillSampleEvent(stack.client, row.name, row.samples.served)
      await invokeFunction(row, event)
    }
    expect(stack.iam.takeViolations()).toEqual([])
    expect(stack.iam.used().size).toBeGreaterThan(100)
  })
})
