import type Stripe from 'stripe'
import type { RefusalReason } from '../../billing/gateway/gatewayAnswer.ts'
import type { Card, Cards, DefaultCard, DefaultReason } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { idIn } from './idOf.ts'
import { type GatewayCall, noValue, readLimits, type WireLimits } from './wireCall.ts'

/** `Cards` on Stripe's API. No card data passes here: Stripe.js sends it to Stripe. */
export function createCards(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Cards {
  const fetchDefault = (customerId: string, limits: WireLimits = {}) =>
    callGateway(() => stripe.customers.retrieve(customerId), readDefault, limits)

  const listMethods = (customer: string, limits: WireLimits) =>
    callGateway(
      () => stripe.paymentMethods.list({ customer, type: 'card', limit: 100 }).autoPagingToArray(EVERY_PAGE),
      (all) => all,
      limits,
    )

  return {
    async listCards(customerId, { answerBy }) {
      const limits = readLimits(clock, answerBy)
      const [chosen, methods] = await Promise.all([fetchDefault(customerId, limits), listMethods(customerId, limits)])
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
      const { id: defaultId, because } = chosen.value
      return { ...method, value: method.value && { card: method.value, defaultId, ...(because && { because }) } }
    },

    fetchDefaultCard: (customerId) => fetchDefault(customerId),

    setDefaultCard(customerId, paymentMethodId, because) {
      return callGateway(
        () =>
          stripe.customers.update(customerId, {
            invoice_settings: { default_payment_method: paymentMethodId },
            ...(because && { metadata: metadataOf(paymentMethodId, because) }),
          }),
        readDefault,
      )
    },

    async listPaidCards(customer, bound) {
      const limits = bound ? readLimits(clock, bound.answerBy) : {}
      const [charges, methods] = await Promise.all([
        callGateway(
          () => stripe.charges.list({ customer, limit: 100 }).autoPagingToArray(EVERY_CHARGE),
          (all) => all,
          limits,
        ),
        listMethods(customer, limits),
      ])
      if (charges.kind !== 'ok') return charges
      if (methods.kind !== 'ok') return methods
      const saved = new Set(methods.value.map(({ id }) => id))
      // The list is newest first.
      const paid = charges.value.filter(({ status }) => status === 'succeeded').reverse()
      return {
        ...methods,
        value: [...new Set(paid.flatMap((charge) => charge.payment_method ?? []))].filter((id) => saved.has(id)),
      }
    },

    removeCard(paymentMethodId) {
      return callGateway(() => stripe.paymentMethods.detach(paymentMethodId), noValue)
    },

    createSetupIntent(customerId, { organizationId, by }, key) {
      return callGateway(
        () =>
          stripe.setupIntents.create(
            {
              customer: customerId,
              allowed_payment_method_types: ['card'],
              usage: 'off_session',
              metadata: { organization_id: organizationId, user_id: by },
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
const EVERY_CHARGE = { limit: 10_000 }

/** The members of a customer's metadata that remember which card a user chose, and when (Unix milliseconds). */
const CHOSEN_CARD = 'chosen_card'
const CHOSEN_AT = 'chosen_at'

/** The members that remember which card became the default because it was the first set up, or the first that paid. */
const REMEMBERED = { set_up: 'set_up_card', paid: 'paid_card' } as const

function metadataOf(card: string, because: DefaultReason): Record<string, string> {
  if (because.kind !== 'chosen') return { [REMEMBERED[because.kind]]: card }
  return { [CHOSEN_CARD]: card, [CHOSEN_AT]: `${because.at}` }
}

function readDefault(customer: Stripe.Customer | Stripe.DeletedCustomer): DefaultCard {
  if (customer.deleted) return { id: null }
  const {
    [CHOSEN_CARD]: chosen,
    [CHOSEN_AT]: at,
    [REMEMBERED.paid]: paid,
    [REMEMBERED.set_up]: setUp,
  } = customer.metadata
  const id = idIn(customer.invoice_settings.default_payment_method)
  const because = whyDefault(id, { chosen, paid, set_up: setUp })
  return { id, ...(chosen !== undefined && { chosen: { id: chosen, at: Number(at) } }), ...(because && { because }) }
}

/** What this service made a card the default for; undefined if a user chose it, here or in the Dashboard. */
function whyDefault(
  id: string | null,
  { chosen, paid, set_up }: Record<'chosen' | 'paid' | 'set_up', string | undefined>,
): DefaultCard['because'] {
  if (id === null || id === chosen) return undefined
  if (id === paid) return 'paid'
  return id === set_up ? 'set_up' : undefined
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
