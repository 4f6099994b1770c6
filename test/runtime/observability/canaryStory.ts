import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { createArgon2idPasswords } from '../../../lib/adapters/passwords/argon2idPasswords.ts'
import { rawEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { eventOf, lambdaContext } from '../../http/call.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import type { Canaries } from './canaries.ts'
import { useAccounts } from './canaryAccounts.ts'
import { deleteEverything } from './canaryDeletions.ts'
import { allowDevice } from './canaryDevices.ts'
import { loseDomain } from './canaryDomains.ts'
import { forgeWebhooks, runSchedules } from './canaryEvents.ts'
import { failTheGateway, failTheKeys, failTheStore, type Ground } from './canaryFailures.ts'
import { signInAtProviders } from './canaryProviders.ts'
import { misuseTokens, sendNonsense } from './canaryRequests.ts'
import { endSessions } from './canarySessions.ts'
import { useWebhooks } from './canaryWebhooks.ts'

/**
 * Uses and misuses the whole service, with a canary in every secret, id and body: tokens, codes, cards,
 * coupons, customers, webhooks, and what the gateway, KMS and the store say when they fail.
 */
export async function tellCanaryStory(stack: BillingStack, canaries: Canaries): Promise<void> {
  const { demo, stripe } = stack.client.info
  canaries.add('client secret', demo.client_secret)
  canaries.add('Stripe key', stripe.secret_key)
  canaries.add('webhook secret', stripe.webhook_secret)
  canaries.add('previous webhook secret', stripe.previous_webhook_secret)
  for (const user of [demo.owner, demo.billing_admin, demo.member, demo.stranger]) {
    canaries.add('email', user.email)
    canaries.add('username', user.username)
    canaries.add('password', user.password)
  }
  await misuseTokens(stack, canaries)
  await sendNonsense(stack, canaries)
  await useAccounts(stack, canaries)
  const ground = await buy(stack, canaries)
  await failTheGateway(ground)
  await failTheStore(ground)
  await failTheKeys(ground)
  await forgeWebhooks(ground)
  await runSchedules(ground)
  await useWebhooks(ground)
  await allowDevice(ground)
  await signInAtProviders(ground)
  await endSessions(ground)
  await deleteEverything(ground)
  await loseDomain(ground)
  await hashWithoutArgon2()
}

/** A request to a function whose runtime lacks Argon2. */
async function hashWithoutArgon2(): Promise<void> {
  const { logger } = await import('../../../lib/runtime/logger.ts')
  const { clock } = await import('../../../lib/runtime/clock.ts')
  const passwords = createArgon2idPasswords({ logger }, () => 'none')
  const contract = { responses: { 204: z.undefined() } }
  const handler = rawEndpoint(contract, { clock, logger }, async () => {
    await passwords.hash('staple-battery-4c1d')
    return { status: 204, body: undefined }
  })
  const event = eventOf({})
  await handler({ ...event, requestContext: { ...event.requestContext, requestId: randomUUID() } }, lambdaContext)
}

/** An organization that buys with a coupon and with 3-D Secure, is declined and refused, and cancels. */
async function buy(stack: BillingStack, canaries: Canaries): Promise<Ground> {
  const organizationId = await stack.client.newOrganization()
  const token = canaries.add('access token', await stack.token())
  const ground = { stack, canaries, organizationId, token }
  const setUp = await stack.post('/api/billing/card-gateway/setup-intent', organizationId)
  addSecretsOf(canaries, JSON.stringify(setUp.body))
  const cards = { good: 'pm_card_visa', bad: 'pm_card_chargeCustomerFail', secured: 'pm_card_authenticationRequired' }
  const good = canaries.add('card', await stack.addCard(organizationId, cards.good))
  const bad = canaries.add('card', await stack.addCard(organizationId, cards.bad))
  const secured = canaries.add('card', await stack.addCard(organizationId, cards.secured))
  const { code, id } = await stack.newCoupon()
  canaries.add('coupon', id)
  canaries.add('coupon code', code)
  const sold = [
    await stack.checkoutWith(token, organizationId, ['base_ota'], { card: good, coupon: code }),
    await stack.checkoutWith(token, organizationId, ['addon_monitoring'], { card: good, coupon: code }),
    await stack.checkoutWith(token, organizationId, ['addon_monitoring'], {
      card: good,
      coupon: canaries.make('coupon'),
    }),
    await stack.checkoutWith(token, organizationId, ['addon_monitoring'], { card: bad }),
    await stack.checkoutWith(token, organizationId, ['addon_monitoring'], { card: canaries.make('card', 'pm_') }),
    await stack.checkoutWith(token, organizationId, ['addon_remote_ssh', canaries.make('plan')], { card: secured }),
  ]
  for (const { body } of sold) addSecretsOf(canaries, JSON.stringify(body))
  await stack.emulator.flush()
  for (const { customer } of await stack.subscriptions(organizationId)) {
    if (typeof customer !== 'string') continue
    canaries.add('customer', customer)
    await stack.stripe.customers.update(customer, { email: `${canaries.make('customer email')}@example.com` })
  }
  const own = (await stack.subscriptions(organizationId)).find(({ metadata }) => metadata.product === 'ota')
  await stack.stripe.subscriptionSchedules.create({ from_subscription: own?.id ?? '' })
  await stack.cancel(organizationId, { product: 'ota', at_period_end: true })
  await stack.entitlements(organizationId)
  await stack.emulator.flush()
  return ground
}

function addSecretsOf(canaries: Canaries, answer: string): void {
  for (const [secret] of answer.matchAll(/(?:pi|seti)_\w+_secret_\w+/g)) canaries.add('client secret', secret)
}
