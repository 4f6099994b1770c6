import { expect } from '@jest/globals'
import * as z from 'zod'

const refusalSchema = z.object({
  statusCode: z.number().optional(),
  type: z.string(),
  rawType: z.string().optional(),
  code: z.string().optional(),
  param: z.string().optional(),
  decline_code: z.string().optional(),
  message: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
})

/** The error that the Stripe SDK rejected with. Rejects when the promise did not. */
export async function refusal(promise: Promise<unknown>): Promise<z.output<typeof refusalSchema>> {
  return promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: unknown) => refusalSchema.parse(error instanceof Error ? { ...error, message: error.message } : error),
  )
}

/** The refusal of a payment that waits for its buyer. */
export const mustAuthenticate = {
  statusCode: 402,
  type: 'StripeCardError',
  code: 'invoice_payment_intent_requires_action',
}

/** Expects a call of the SDK to be refused with an error that has these members. */
export async function expectRefusal(promise: Promise<unknown>, expected: object): Promise<void> {
  expect(await refusal(promise)).toMatchObject(expected)
}
