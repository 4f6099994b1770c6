import { findRow } from '../../../infra/local/http/router.ts'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import type { BillingStack } from '../../support/billingStack.ts'

/** Runs a function by its schedule's event. */
export async function runScheduled(stack: BillingStack, name: string): Promise<void> {
  const row = findRow(name)
  if (row === undefined) throw new Error(`No row of ${name}`)
  await invokeFunction(row, (await fillSampleEvent(stack.client, name)).event)
}
