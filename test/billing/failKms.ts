import { expect } from '@jest/globals'
import type { BillingStack } from '../support/billingStack.ts'

/** Fails this KMS operation for all attempts of one call, after so many calls. */
export async function failKms(stack: BillingStack, operation: string, after = 0): Promise<void> {
  const fault = { method: 'POST', body: JSON.stringify({ operation, after, times: 3 }) }
  expect((await fetch(`${stack.client.info.kms_endpoint}/_control/faults`, fault)).status).toBe(204)
}
