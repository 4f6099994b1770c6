const formats = {
  day: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }),
  minute: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' }),
  second: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' }),
  hour: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' }),
  tick: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' }),
}

/** Unix seconds as text in UTC; `–` for none. */
export function date(seconds, format = 'minute') {
  return typeof seconds === 'number' ? formats[format].format(seconds * 1000) : '–'
}

/** Cents as money. */
export function money(cents, currency = 'usd') {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format((cents ?? 0) / 100)
}

/** `3 events`, `1 event`. */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Stripe's words for a reader: `past_due` is `past due`. */
export function words(name) {
  return String(name ?? '–').replaceAll('_', ' ')
}

const tones = {
  good: ['active', 'paid', 'succeeded'],
  info: ['trialing'],
  warn: ['incomplete', 'past_due', 'open', 'paused', 'requires_action'],
  bad: ['unpaid', 'uncollectible'],
}

/** The tone a status is shown in: good, info, warn, bad or quiet. */
export function tone(status) {
  return Object.keys(tones).find((name) => tones[name].includes(status)) ?? 'quiet'
}
