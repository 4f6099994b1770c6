import type { BillingStack } from '../../support/billingStack.ts'
import type { Canaries } from './canaries.ts'

/** The stack, and an organization with a subscription. */
export interface Ground {
  stack: BillingStack
  canaries: Canaries
  organizationId: string
  token: string
}

/** Stripe's error, which quotes everything that it should not. */
function indiscreetError(canaries: Canaries, code: string) {
  const secret = `pi_1_secret_${canaries.make('client secret')}`
  return {
    error: {
      type: 'invalid_request_error',
      code,
      message: `No such customer: '${canaries.make('customer', 'cus_')}' for ${canaries.make('key', 'sk_test_')}`,
      payment_intent: { id: 'pi_1', object: 'payment_intent', client_secret: secret },
      payment_method: { id: canaries.make('card', 'pm_'), billing_details: { email: canaries.make('card holder') } },
      request_log_url: `https://dashboard.stripe.com/${canaries.make('log')}`,
    },
  }
}

/** Purchases that the gateway refuses with a message full of secrets, or does not answer. */
export async function failTheGateway({ stack, canaries, organizationId, token }: Ground): Promise<void> {
  const buy = () => stack.checkoutWith(token, organizationId, ['addon_crash_reporting'])
  const refuse = async (status: number, body: object) => {
    await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'status', status, body, times: 2 })
    await buy()
    await stack.emulator.clearFaults()
  }
  // A customer that is refused, and that the gateway does not show as deleted.
  const { error } = indiscreetError(canaries, 'resource_missing')
  await refuse(404, { error: { ...error, param: 'customer' } })
  for (const [status, code] of [
    [400, 'parameter_invalid'],
    [401, 'api_key_expired'],
    [402, 'card_declined'],
    [429, 'rate_limit'],
    [500, 'api_error'],
  ] as const) {
    await refuse(status, indiscreetError(canaries, code))
  }
  const body = canaries.make('body that is no JSON')
  await stack.emulator.fault({ method: 'GET', path: '/v1/prices', kind: 'status', status: 502, body, times: 2 })
  await buy()
  await stack.emulator.clearFaults()
  await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_before', times: 2 })
  await buy()
}

/** The store fails at each step of a purchase, and finds an account that it cannot read. */
export async function failTheStore({ stack, canaries, token }: Ground): Promise<void> {
  const { organizationId } = await stack.organizationWithCard()
  const error = () => ({ type: 'ValidationException', message: canaries.make('words of DynamoDB') })
  const buy = () => stack.checkoutWith(token, organizationId, ['base_ota'])
  const setUp = (id: string) =>
    stack.wire({ method: 'POST', path: `/api/billing/card-gateway/setup-intent?organization_id=${id}`, token })
  for (const operation of ['BatchGetItem', 'PutItem', 'TransactGetItems', 'TransactWriteItems']) {
    stack.dynamoDb.fail({ operation, times: 1, error: error() })
    await buy()
    stack.dynamoDb.fail({ operation, times: 1, error: error() })
    await setUp(organizationId)
    stack.dynamoDb.reset()
  }
  // A claim that cannot be read again, nor given back: it waits for its lease to end.
  const leased = await stack.organizationWithCard()
  stack.dynamoDb.fail({ operation: 'TransactGetItems', times: 1, error: error() })
  stack.dynamoDb.fail({ operation: 'PutItem', after: 1, times: 1, error: error() })
  await stack.checkoutWith(token, leased.organizationId, ['base_ota'])
  stack.dynamoDb.reset()
  // What the gateway did not answer above is settled now.
  stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, error: error() })
  await buy()
  await stack.emulator.flush()

  const unbound = await stack.client.newOrganization()
  stack.dynamoDb.fail({ operation: 'UpdateItem', times: 1, error: error() })
  await setUp(unbound)
  stack.dynamoDb.reset()

  // An answer that is not stored under its key.
  stack.dynamoDb.fail({ operation: 'UpdateItem', after: 1, times: 1, error: error() })
  const headers = { 'content-type': 'application/json', 'idempotency-key': canaries.make('idempotency key') }
  const body = JSON.stringify({ name: canaries.make('organization name') })
  await stack.wire({ method: 'POST', path: '/api/organizations', token, headers, body })
  stack.dynamoDb.reset()

  // A page's origin is looked up, and not found out.
  stack.dynamoDb.fail({ operation: 'GetItem', times: 3, error: error() })
  const path = `/api/billing/entitlements?organization_id=${organizationId}`
  await stack.wire({ method: 'GET', path, token, headers: { origin: 'https://console.example.com' } })
  stack.dynamoDb.reset()

  const broken = await stack.client.newOrganization()
  const account = { organizationId: broken, createdAt: canaries.make('stored text'), custRev: canaries.make('stored') }
  await stack.putItem({ pk: `ORG#${broken}`, sk: 'ACCOUNT', ...account })
  await stack.checkoutWith(token, broken, ['base_ota'])
  await setUp(broken)
}

/** KMS fails while tokens are signed and customers opened, and DynamoDB once more while the slot is freed. */
export async function failTheKeys({ stack, canaries, token }: Ground): Promise<void> {
  const { organizationId } = await stack.organizationWithCard()
  const { client, dynamoDb } = stack
  const fail = (operation: string) =>
    fetch(`${client.info.kms_endpoint}/_control/faults`, {
      method: 'POST',
      body: JSON.stringify({
        operation,
        times: 3,
        error: { type: 'AccessDeniedException', message: canaries.make('KMS') },
      }),
    })
  await fail('Decrypt')
  dynamoDb.fail({
    operation: 'PutItem',
    // The claim.
    after: 1,
    times: 1,
    error: { type: 'ValidationException', message: canaries.make('words of DynamoDB') },
  })
  await stack.checkoutWith(token, organizationId, ['base_ota'])
  dynamoDb.reset()
  await fetch(`${client.info.kms_endpoint}/_control/faults`, { method: 'DELETE' })
  await fail('Sign')
  const code = canaries.add('authorization code', await client.authorizationCode('owner'))
  await client.exchange(code).catch(() => {})
  await fetch(`${client.info.kms_endpoint}/_control/faults`, { method: 'DELETE' })
}
