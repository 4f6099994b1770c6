import { expect } from '@jest/globals'
import type { BillingStack } from '../support/billingStack.ts'

/** Fails this KMS operation for all attempts of one call. */
export async function failKms(stack: BillingStack, operation: string): Promise<void> {
  const fault = { method: 'POST', body: JSON.stringify({ operation, times: 3 }) }
  expect((await fetch(`${stack.client.info.kms_endpoint}/_control/faults`, fault)).status).toBe(204)
}
