import type Stripe from 'stripe'
import type { PaymentGateway } from '../../billing/ports.ts'
import type { GatewayCall } from './wireCall.ts'

type Customers = Pick<PaymentGateway, 'createCustomer' | 'fetchCustomer' | 'createSetupIntent' | 'setFirstDefaultCard'>

/** Customers at Stripe and their cards. No card data passes here: Stripe.js sends it to Stripe. */
export function createCustomers(stripe: Stripe, callGateway: GatewayCall): Customers {
  return {
    createCustomer(organizationId, key) {
      // Nothing that can change is sent, so that a repeated key always finds the same parameters.
      const params = { metadata: { organization_id: organizationId } }
      return callGateway(
        () => stripe.customers.create(params, { idempotencyKey: key }),
        ({ id }) => id,
      )
    },

    fetchCustomer(customerId) {
      return callGateway(
        () => stripe.customers.retrieve(customerId),
        ({ deleted }) => ({ deleted: deleted === true }),
      )
    },

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
