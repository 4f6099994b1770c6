import type { Language } from './language.ts'

/** The locale of times and words: English as in Britain. */
const locales = { en: 'en-GB', de: 'de-DE' } as const satisfies Record<Language, string>

/** A day in UTC, in words: `22 December 2026`, `22. Dezember 2026`. */
export function formatDate(milliseconds: number, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(milliseconds)
}

/** A time as people read it, in UTC, such as `1 December 2026 at 08:00 UTC`. @param milliseconds Unix milliseconds */
export function formatTime(milliseconds: number, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(milliseconds)} UTC`
}

/** A month in words: `January 2027`. @param month `2027-01` */
export function formatMonth(month: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )
}

/** Currencies whose smallest unit at Stripe differs from that of `Intl`: https://docs.stripe.com/currencies#special-cases */
const gatewayDigits: Readonly<Record<string, number>> = { ISK: 2, UGX: 2 }

/** An amount with its currency: `$49.00`, `49,00 $`. @param amount in the smallest unit of `currency`, ISO 4217 in any case */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const locale = { en: 'en-US', de: 'de-DE' }[language]
  const code = currency.toUpperCase()
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code })
  return format.format(amount / 10 ** (gatewayDigits[code] ?? format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** Names in a row: `one, two and three`. */
export function formatList(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(locales[language]).format(names)
}

/** A country by its name. @param code ISO 3166-1 alpha-2 */
export function formatCountry(code: string, language: Language): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code
}

const MINUTE = 60
const HOUR = 60
const DAY = 24 * HOUR

/** A duration in the largest unit that divides it: `90 minutes`, `1 hour`, `7 days`. */
export function formatDuration(minutes: number, language: Language): string {
  if (minutes % DAY === 0) return inUnit(minutes / DAY, 'day', language)
  return minutes % HOUR === 0 ? inUnit(minutes / HOUR, 'hour', language) : inUnit(minutes, 'minute', language)
}

/** How long to wait: seconds if under a minute, otherwise whole minutes, rounded up. */
export function formatWait(seconds: number, language: Language): string {
  return seconds < MINUTE ? inUnit(seconds, 'second', language) : formatDuration(Math.ceil(seconds / MINUTE), language)
}

function inUnit(value: number, unit: 'day' | 'hour' | 'minute' | 'second', language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
