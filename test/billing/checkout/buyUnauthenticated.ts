import type { BillingStack, CheckoutOptions } from '../../support/billingStack.ts'

/** Buys `base_ota` with a card that needs authentication, which the buyer has not given yet. */
export async function buyUnauthenticated(
  stack: BillingStack,
  testCard = 'pm_card_authenticationRequired',
  options: CheckoutOptions = {},
) {
  const { organizationId, card } = await stack.organizationWithCard(testCard)
  const answer = await stack.checkout(organizationId, ['base_ota'], options)
  const secret = answer.lines[0]?.client?.client_secret ?? ''
  const [intentId = ''] = secret.split('_secret_')
  const [subscription] = await stack.subscriptions(organizationId)
  if (!subscription || !intentId.startsWith('pi_')) throw new Error('The card was expected to need authentication')
  return { organizationId, card, answer, secret, intentId, subscription }
}

/** The organization's entitlement to `ota`. */
export async function ota(stack: BillingStack, organizationId: string) {
  return (await stack.entitlements(organizationId)).find(({ product }) => product === 'ota')
}
