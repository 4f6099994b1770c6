import { afterAll, describe, expect, it } from '@jest/globals'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
afterAll(() => emulator.close())

const uncovered = (kind: 'parameter' | 'value', param: string) => ({
  statusCode: 501,
  code: `unsupported_${kind}`,
  param,
  message: expect.stringContaining(param),
})
const threeDSecure = (request_three_d_secure: string) => ({
  payment_method_options: { card: { request_three_d_secure } },
})

// The refusals that Stripe has too are tested in behaviour/refusals.test.ts.
describe('POST /v1/subscriptions refuses', () => {
  it.each([
    [
      'a parameter it does not cover',
      { billing_cycle_anchor: 2_000_000_000 },
      uncovered('parameter', 'billing_cycle_anchor'),
    ],
    [
      'a nested parameter it does not cover',
      { items: [{ price: 'x', tax_rates: ['txr_1'] }] },
      uncovered('parameter', 'items[0][tax_rates]'),
    ],
    [
      'a value it does not cover',
      { payment_settings: threeDSecure('any') },
      uncovered('value', 'payment_settings[payment_method_options][card][request_three_d_secure]'),
    ],
    [
      'what is for updates only',
      { payment_behavior: 'pending_if_incomplete' },
      { statusCode: 400, param: 'payment_behavior' },
    ],
    [
      'a metadata value that is too long',
      { metadata: { key: 'x'.repeat(501) } },
      { statusCode: 400, param: 'metadata' },
    ],
  ])('%s', async (_case, change: object, expected) => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    await expectRefusal(emulator.subscribe(customer, change), expected)
  })
})
