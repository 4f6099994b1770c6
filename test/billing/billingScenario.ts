import type { BillingStack } from '../support/billingStack.ts'
import { postWebhook, signatureOf } from './events/webhookRequests.ts'
import { failKms } from './failKms.ts'
import { customerOf } from './gatewayView.ts'

/** What the callers of a scenario have received. */
export interface BillingScenario {
  organizationId: string
  /** Every answer of the API, as text. */
  answers: { status: number; text: string }[]
  /** Every authorization code, access token and refresh token that was used. */
  tokens: string[]
}

function paymentOf(answer: string): string {
  return /(pi_[A-Za-z0-9]+)_secret_/.exec(answer)?.[1] ?? ''
}

/**
 * Lets an organization set cards up, buy, authenticate, be declined, redeem a coupon and cancel, while the gateway, KMS and
 * DynamoDB fail in turn; at the end deletes its customer and has a new one created.
 */
export async function runBillingScenario(stack: BillingStack): Promise<BillingScenario> {
  const { client, emulator, dynamoDb } = stack
  const answers: BillingScenario['answers'] = []
  const tokens: string[] = []
  const organizationId = await client.newOrganization()

  /** @param fail lets something fail once the caller has a token */
  async function ask(method: 'GET' | 'POST', path: string, body?: object, fail = () => {}): Promise<string> {
    const code = await client.authorizationCode('owner')
    const { access_token, refresh_token } = await client.exchange(code)
    tokens.push(code, access_token, refresh_token)
    fail()
    const answer = await stack.wire({
      method,
      path: `${path}?organization_id=${organizationId}`,
      token: access_token,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    answers.push(answer)
    return answer.text
  }
  const setUp = () => ask('POST', '/api/billing/card-gateway/setup-intent')
  const cancel = (product: string, at_period_end: boolean, fail?: () => void) =>
    ask('POST', '/api/billing/cancel', { product, at_period_end }, fail)
  async function buy(plan: string, testCard?: string, coupon_code?: string): Promise<string> {
    const card = testCard && (await stack.addCard(organizationId, testCard))
    const cart = { product_codes: [plan], coupon_code, ...(card && { payment_method_id: card }) }
    const text = await ask('POST', '/api/billing/checkout', cart)
    await emulator.flush()
    return text
  }

  await setUp()
  const { code } = await stack.newCoupon()
  await buy('base_ota', 'pm_card_visa', code)
  await buy('addon_monitoring', 'pm_card_chargeCustomerFail')
  const secured = await buy('addon_remote_ssh', 'pm_card_authenticationRequired')
  await emulator.authenticate(paymentOf(secured), 'succeed')
  await emulator.flush()
  await buy('addon_monitoring', 'pm_card_visa', code)
  const unsecured = await buy('addon_monitoring', 'pm_card_authenticationRequired')
  await emulator.authenticate(paymentOf(unsecured), 'fail')
  await buy('addon_monitoring', 'pm_card_visa')
  await cancel('monitoring', false)
  await cancel('ota', true)

  // The gateway, DynamoDB and KMS fail in turn.
  await emulator.fault({ method: 'POST', path: '/v1/setup_intents', kind: 'drop_after', times: 2 })
  await setUp()
  for (const status of [400, 402, 429, 500]) {
    await emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'status', status, times: 2 })
    await buy('addon_crash_reporting', 'pm_card_visa')
    await emulator.clearFaults()
  }
  // The purchase that met the failures can no longer arrive, and another card may buy.
  await emulator.advance(16 * 60)
  await buy('addon_crash_reporting')
  await emulator.fault({ method: 'DELETE', path: '/v1/subscriptions/*', kind: 'status', status: 400 })
  await cancel('ota', false)
  await cancel('ota', false, () => dynamoDb.fail({ operation: 'TransactWriteItems', times: 3 }))
  await failKms(stack, 'Decrypt')
  await setUp()
  const forged = signatureOf('{}', { secret: client.info.stripe.webhook_secret, timestamp: 1 })
  await postWebhook(stack, '{}', [forged])
  await emulator.webhooks('hold')
  await cancel('remote_ssh', true)
  await emulator.fault({ method: 'GET', path: '/v1/subscriptions/*', kind: 'status', status: 503, times: 9 })
  const refused = (await emulator.flush('lifo', 2)).filter(({ status }) => status === 500)
  if (refused.length === 0) throw new Error('No event was refused')
  await emulator.clearFaults()
  await emulator.webhooks('deliver')
  await emulator.flush()

  await ask('GET', '/api/billing/entitlements')
  const customer = await customerOf(stack, organizationId)
  await stack.stripe.customers.update(customer, { email: 'buyer@example.com' })
  await emulator.flush()
  // Stripe's error message for a deleted customer contains its id.
  await emulator.webhooks('hold')
  await stack.stripe.customers.del(customer)
  await setUp()
  await buy('addon_monitoring')
  await emulator.webhooks('deliver')
  await emulator.flush()
  await emulator.flush()
  await setUp()
  await setUp()
  await emulator.flush()
  return { organizationId, answers, tokens }
}
