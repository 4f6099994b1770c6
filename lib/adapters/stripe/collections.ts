import type Stripe from 'stripe'
import type { Purchases } from '../../billing/gateway/gatewayPorts.ts'

type Requested = Pick<Parameters<Purchases['freezeSubscription']>[0], 'paymentMethodId' | 'daysUntilDue'>

/** The parameters of a subscription that say how its invoices are collected. */
export type Collection = (request: Requested) => Omit<Stripe.SubscriptionCreateParams, 'customer'>

/** Charged to a card: at once while the buyer is present, off-session from then on. */
export const chargeCard: Collection = ({ paymentMethodId }) => ({
  payment_behavior: 'allow_incomplete',
  payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
  ...(paymentMethodId !== undefined && { default_payment_method: paymentMethodId }),
})

/**
 * Sent to the customer, who pays within `daysUntilDue`. The ways to pay an invoice, such as bank transfer, are a
 * setting of the Stripe account, not of a purchase (https://docs.stripe.com/invoicing/bank-transfer).
 */
export const sendInvoice: Collection = ({ daysUntilDue }) => {
  if (daysUntilDue === undefined)
    throw new Error('An organization that is sent invoices has a number of days to pay them')
  return { collection_method: 'send_invoice', days_until_due: daysUntilDue }
}
