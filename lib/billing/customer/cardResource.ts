import * as z from 'zod/mini'
import { described, named, patternString } from '../../http/schema.ts'
import { productSchema } from '../catalog.ts'
import type { Card } from '../gateway/gatewayPorts.ts'
import type { SavedCard } from './cards.ts'

const cardNumber = {
  type: 'value_error',
  msg: 'Value error, the id of a saved card is expected. Never send the number of a card',
}

/** The id of a card at the gateway. Digits alone are a card's number, which must not reach this service. */
export function paymentMethodId() {
  const id = patternString(/^[A-Za-z0-9_-]{1,255}$/)
  return described(
    'The id of a saved card, never the number of a card.',
    id.check(z.refine((text) => !/^[0-9-]+$/.test(text), { params: cardNumber })),
  )
}

const members = {
  id: described('The card’s id at the gateway', z.string()),
  brand: described('The brand of the card, such as `visa`', z.string()),
  last4: described('The last four digits of its number', z.string()),
  exp_month: described('The month in which it expires, 1 to 12', z.int()),
  exp_year: described('The year in which it expires, in four digits', z.int()),
  is_default: described('Whether it pays if a purchase names no card', z.boolean()),
}

/** A card in the API. */
export const cardResource = named('PaymentMethod', z.strictObject(members))

/** A card in the list, with what it pays for. */
export const savedCardResource = named(
  'SavedPaymentMethod',
  z.strictObject({
    ...members,
    has_paid: described('Whether a payment with it has succeeded.', z.boolean()),
    pays_for: described('The products whose renewals it pays for.', z.array(productSchema)),
  }),
)

export function toSavedCardResource({ hasPaid, paysFor, ...card }: SavedCard): z.infer<typeof savedCardResource> {
  return { ...toCardResource(card), has_paid: hasPaid, pays_for: [...paysFor] }
}

export function toCardResource({ id, brand, last4, expMonth, expYear, isDefault }: Card): z.infer<typeof cardResource> {
  return { id, brand, last4, exp_month: expMonth, exp_year: expYear, is_default: isDefault }
}
