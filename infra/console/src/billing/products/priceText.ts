import type { SubscriptionPrice } from '../../app/types.ts'
import type { Localization } from '../../texts/createLocalization.ts'

/** A price as people read it: `$49.00 / month`. */
export function priceText(
  { amount, currency, interval, interval_count }: SubscriptionPrice,
  { texts, format }: Pick<Localization, 'texts' | 'format'>,
): string {
  return texts.products.price(format.money(amount, currency), format.interval(interval, interval_count))
}
