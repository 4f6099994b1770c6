import { describe, expect, it } from '@jest/globals'
import { isApiError } from '../../../infra/client/src/errors.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { stackClient } from './stackClient.ts'

const stack = await openLocalStack()

/** A client that is signed in as the demo's owner, and an organization of its own. */
async function signedIn() {
  const local = localClient(stack.info)
  const { client, tokenStore } = await stackClient(stack)
  const { access_token } = await local.signIn('owner')
  await tokenStore.set({ accessToken: access_token, expiresAt: Date.now() + 600_000 })
  return { local, client, query: { organization_id: await local.newOrganization() } }
}

describe('createCheckout', () => {
  it('buys two products, the second once its payment is confirmed with 3-D Secure', async () => {
    const { local, client, query } = await signedIn()
    const { client_secret } = await client.createSetupIntent({ query })
    const [intent = ''] = client_secret.split('_secret_')
    await local.stripe.setupIntents.confirm(intent, { payment_method: 'pm_card_visa' })
    const { payment_method } = await local.stripe.setupIntents.retrieve(intent)
    const card = { payment_method_id: String(payment_method) }
    const [first, unknown] = await client.createCheckout({ query, body: { product_codes: ['base_ota', 'x'], ...card } })
    expect(first?.ok && first.subscription.status).toBe('active')
    expect(unknown?.ok === false && unknown.error).toBe('unknown_plan')

    const secured = await local.addCard({
      token: (await local.signIn('owner')).access_token,
      organizationId: query.organization_id,
      testCard: 'pm_card_threeDSecureRequired',
    })
    const body = { product_codes: ['addon_monitoring'], payment_method_id: secured }
    const [second] = await client.createCheckout({ query, body })
    expect(second?.ok && second.client.action).toBe('confirm_payment')
    const [payment = ''] = (second?.ok && second.client.client_secret?.split('_secret_')) || []
    await local.authenticate(payment, 'succeed')
    const [again] = await client.createCheckout({ query, body })
    expect(again?.ok === false && again.error).toBe('already_subscribed')
  })

  it('returns a list in which nothing was bought, and throws any other refusal', async () => {
    const { client, query } = await signedIn()
    const answer = await client.send('createCheckout', { query, body: { product_codes: ['base_ota'] } })
    expect(answer).toMatchObject({ status: 402, body: [{ ok: false, error: 'payment_method_required' }] })

    const elsewhere = client.createCheckout({
      query: { organization_id: stack.info.demo.other_organization_id },
      body: { product_codes: ['base_ota'] },
    })
    const refusal = await elsewhere.catch((error: unknown) => error)
    expect(isApiError(refusal, 'organization_not_found') && refusal.requestId).toMatch(/./)
  })
})
