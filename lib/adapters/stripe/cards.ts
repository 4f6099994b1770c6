import type Stripe from 'stripe'
import type { Cards } from '../../billing/gatewayPorts.ts'
import type { GatewayCall } from './wireCall.ts'

/** `Cards` on Stripe's API. No card data passes here: Stripe.js sends it to Stripe. */
export function createCards(stripe: Stripe, callGateway: GatewayCall): Cards {
  return {
    createSetupIntent(customerId, organizationId) {
      return callGateway(
        () =>
          stripe.setupIntents.create({
            customer: customerId,
            allowed_payment_method_types: ['card'],
            usage: 'off_session',
            metadata: { organization_id: organizationId },
          }),
        ({ client_secret }) => {
          if (client_secret === null) throw new Error('A new SetupIntent has a client secret')
          return client_secret
        },
      )
    },

    async setFirstDefaultCard(customerId, paymentMethodId) {
      const customer = await callGateway(() => stripe.customers.retrieve(customerId), hasDefaultCard)
      if (customer.kind !== 'ok' || customer.value) return { ...customer, value: null }
      return callGateway(
        () => stripe.customers.update(customerId, { invoice_settings: { default_payment_method: paymentMethodId } }),
        () => null,
      )
    },
  }
}

/** A deleted customer needs no card either. */
function hasDefaultCard(customer: Stripe.Customer | Stripe.DeletedCustomer): boolean {
  return customer.deleted === true || customer.invoice_settings.default_payment_method !== null
}
