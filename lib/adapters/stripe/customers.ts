import type Stripe from 'stripe'
import type { Customers } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { createCustomerDetails } from './customerDetails.ts'
import type { GatewayCall } from './wireCall.ts'

/** `Customers` on Stripe's API. */
export function createCustomers(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Customers {
  return {
    createCustomer(organizationId, { name, email }, key) {
      const params = { name, ...(email !== undefined && { email }), metadata: { organization_id: organizationId } }
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

    deleteCustomer(customerId) {
      return callGateway(
        () => stripe.customers.del(customerId),
        () => null,
      )
    },

    ...createCustomerDetails(stripe, callGateway, clock),
  }
}
