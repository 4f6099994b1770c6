import type { Card } from '../../app/types.ts'
import type { Texts } from '../../texts/en.ts'

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** A card as people call it: `Visa ending in 4242`. */
export function cardName({ brand, last4 }: Pick<Card, 'brand' | 'last4'>, { cards }: Pick<Texts, 'cards'>): string {
  return cards.name(brands[brand] ?? cards.card, last4)
}

/** The month in which it expires: `08/2030`. */
export function cardExpiry({ exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>): string {
  return `${String(exp_month).padStart(2, '0')}/${exp_year}`
}

/** Whether it has expired: a card is good until the end of its month. */
export function isExpired({ exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>, now: Date): boolean {
  return now.getTime() >= new Date(exp_year, exp_month, 1).getTime()
}
