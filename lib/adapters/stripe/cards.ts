import type Stripe from 'stripe'
import type { RefusalReason } from '../../billing/gateway/gatewayAnswer.ts'
import type { Card, Cards, DefaultCard } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { idIn } from './idOf.ts'
import { type GatewayCall, noValue, readLimits, type WireLimits } from './wireCall.ts'

/** `Cards` on Stripe's API. No card data passes here: Stripe.js sends it to Stripe. */
export function createCards(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Cards {
  const fetchDefault = (customerId: string, limits: WireLimits = {}) =>
    callGateway(() => stripe.customers.retrieve(customerId), readDefault, limits)

  return {
    async listCards(customerId, { answerBy }) {
      const limits = readLimits(clock, answerBy)
      const [chosen, methods] = await Promise.all([
        fetchDefault(customerId, limits),
        callGateway(
          () =>
            stripe.paymentMethods
              .list({ customer: customerId, type: 'card', limit: 100 })
              .autoPagingToArray(EVERY_PAGE),
          (all) => all,
          limits,
        ),
      ])
      if (chosen.kind !== 'ok') return chosen
      if (methods.kind !== 'ok') return methods
      return { ...methods, value: methods.value.flatMap((method) => cardOf(method, chosen.value.id) ?? []) }
    },

    async fetchCard(customerId, paymentMethodId) {
      const chosen = await fetchDefault(customerId)
      if (chosen.kind !== 'ok') return chosen
      const method = await callGateway(
        () => stripe.customers.retrievePaymentMethod(customerId, paymentMethodId),
        (found) => cardOf(found, chosen.value.id),
      )
      if (method.kind === 'refused' && isAbsent(method.reason)) return { ...chosen, value: null }
      if (method.kind !== 'ok') return method
      return { ...method, value: method.value && { card: method.value, defaultId: chosen.value.id } }
    },

    fetchDefaultCard: (customerId) => fetchDefault(customerId),

    setDefaultCard(customerId, paymentMethodId, chosenAt) {
      const metadata = { [CHOSEN_CARD]: paymentMethodId, [CHOSEN_AT]: `${chosenAt}` }
      return callGateway(
        () =>
          stripe.customers.update(customerId, {
            invoice_settings: { default_payment_method: paymentMethodId },
            ...(chosenAt !== undefined && { metadata }),
          }),
        readDefault,
      )
    },

    removeCard(paymentMethodId) {
      return callGateway(() => stripe.paymentMethods.detach(paymentMethodId), noValue)
    },

    createSetupIntent(customerId, organizationId, key) {
      return callGateway(
        () =>
          stripe.setupIntents.create(
            {
              customer: customerId,
              allowed_payment_method_types: ['card'],
              usage: 'off_session',
              metadata: { organization_id: organizationId },
            },
            key === undefined ? {} : { idempotencyKey: key },
          ),
        ({ client_secret }) => {
          if (client_secret === null) throw new Error('A new SetupIntent has a client secret')
          return client_secret
        },
      )
    },
  }
}

/** The SDK asks for a bound. */
const EVERY_PAGE = { limit: 1000 }

/** The members of a customer's metadata that remember which card a user chose, and when (Unix milliseconds). */
const CHOSEN_CARD = 'chosen_card'
const CHOSEN_AT = 'chosen_at'

function readDefault(customer: Stripe.Customer | Stripe.DeletedCustomer): DefaultCard {
  if (customer.deleted) return { id: null }
  const { [CHOSEN_CARD]: chosen, [CHOSEN_AT]: at } = customer.metadata
  return {
    id: idIn(customer.invoice_settings.default_payment_method),
    ...(chosen !== undefined && { chosen: { id: chosen, at: Number(at) } }),
  }
}

/** Null for a payment method that is no card. */
function cardOf({ id, card }: Stripe.PaymentMethod, defaultId: string | null): Card | null {
  if (!card) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  return { id, brand, last4, expMonth, expYear, isDefault: id === defaultId }
}

/** Stripe names the parameter if it knows the card, but as another customer's. */
function isAbsent(reason: RefusalReason): boolean {
  return reason === 'not_found' || reason === 'payment_method_invalid' || reason === 'payment_method_required'
}
