/** Currencies whose smallest unit at the gateway differs from that of `Intl`: https://docs.stripe.com/currencies#special-cases */
const gatewayDigits: Readonly<Record<string, number>> = { ISK: 2, UGX: 2 }

/** How many digits of an amount in the smallest unit are behind the point. */
function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return gatewayDigits[currency.toUpperCase()] ?? format.resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount for programs, from an amount in the currency's smallest unit: `49.00`. */
export function decimalOf(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

const intervals = ['day', 'week', 'month', 'year'] as const
type Unit = (typeof intervals)[number]

/** How dates, money and numbers are written in a language and country. */
export interface Format {
  /** `$49.00`, `¥4,900`, from an amount in the currency's smallest unit and ISO 4217, in any case. */
  money(amount: number, currency: string): string
  /** A day, such as `Dec 22, 2026`, from RFC 3339. */
  day(time: string): string
  /** A month in short, such as `Nov`, from RFC 3339. */
  month(time: string): string
  /** A month with its year, such as `November 2026`, from RFC 3339. */
  monthOfYear(time: string): string
  /** A day and its time, such as `Nov 22, 2026, 9:42 AM`, from RFC 3339. */
  time(time: string): string
  /** `1 day`, `14 days`. */
  count(count: number, unit: Unit): string
  /** How often a price is charged: `month`, `3 months`. */
  interval(unit: string, count: number): string
  /** `a name, an email address, and an address`. */
  list(items: readonly string[]): string
  /** A country by its code, ISO 3166-1: `Germany`; the code itself if it is unknown. */
  region(code: string): string
  /** Which of two names comes first. */
  compare(a: string, b: string): number
}

/** @param locale BCP 47: `en-US` */
export function createFormat(locale: string): Format {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const months = new Intl.DateTimeFormat(locale, { month: 'short' })
  const monthsOfYears = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
  const lists = new Intl.ListFormat(locale)
  const regions = new Intl.DisplayNames(locale, { type: 'region' })
  const { compare } = new Intl.Collator(locale)
  const units = (unit: Unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  const count = (number: number, unit: Unit) => units(unit).format(number)
  return {
    money(amount, currency) {
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
      return format.format(amount / 10 ** digitsOf(currency))
    },
    day: (time) => days.format(new Date(time)),
    month: (time) => months.format(new Date(time)),
    monthOfYear: (time) => monthsOfYears.format(new Date(time)),
    time: (time) => times.format(new Date(time)),
    count,
    interval(name, number) {
      const unit = intervals.find((known) => known === name)
      if (unit === undefined) return number === 1 ? name : `${number} ${name}`
      if (number !== 1) return count(number, unit)
      return (
        units(unit)
          .formatToParts(1)
          .find(({ type }) => type === 'unit')?.value ?? unit
      )
    },
    list: (items) => lists.format(items),
    region: (code) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code),
    compare,
  }
}
