/** Where the gateway's smallest unit is not the one that `Intl` knows: https://docs.stripe.com/currencies#special-cases */
const gatewayDigits: Readonly<Record<string, number>> = { ISK: 2, UGX: 2 }

/**
 * An amount of money in the reader's own way of writing it: `$49.00`, `¥4,900`.
 * @param amount in the currency's smallest unit
 * @param currency ISO 4217, in any case
 * @param locale the browser's where left out
 */
export function formatMoney(amount: number, currency: string, locale?: string): string {
  const code = currency.toUpperCase()
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code })
  const digits = gatewayDigits[code] ?? format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

/** A day, such as `Dec 22, 2026`. `time` is RFC 3339. */
export function formatDay(time: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(time))
}

/** A day and its time, such as `Nov 22, 2026, 9:42 AM`. `time` is RFC 3339. */
export function formatTime(time: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))
}

/** How often a price is charged: `month`, `3 months`. */
export function formatInterval(interval: 'month' | 'year', count: number): string {
  return count === 1 ? interval : `${count} ${interval}s`
}
