import { passesLuhn } from '../payments/passesLuhn.ts'
import type { CardState, FieldError } from './messages.ts'

/** Which digits a brand's numbers begin with, how long they are, how they are grouped, and how long its security code is. */
interface Brand {
  readonly name: CardState['brand']
  readonly begins: RegExp
  readonly lengths: readonly number[]
  readonly groups: readonly number[]
  readonly cvc: number
}

const fours = [4, 4, 4, 4, 3]
const unknown: Brand = { name: 'unknown', begins: /^/, lengths: [16], groups: fours, cvc: 3 }
const brands: readonly Brand[] = [
  { name: 'visa', begins: /^4/, lengths: [16], groups: fours, cvc: 3 },
  { name: 'mastercard', begins: /^(5[1-5]|2[2-7])/, lengths: [16], groups: fours, cvc: 3 },
  { name: 'amex', begins: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvc: 4 },
  { name: 'discover', begins: /^6(011|4[4-9]|5)/, lengths: [16], groups: fours, cvc: 3 },
  { name: 'diners', begins: /^3(0|6|8|9)/, lengths: [14, 16], groups: [4, 6, 4, 2], cvc: 3 },
  { name: 'jcb', begins: /^35/, lengths: [16], groups: fours, cvc: 3 },
  { name: 'unionpay', begins: /^(62|81)/, lengths: [16, 17, 18, 19], groups: fours, cvc: 3 },
]

/** The brand that the digits begin like. */
export function brandOf(digits: string): Brand {
  return brands.find(({ begins }) => begins.test(digits)) ?? unknown
}

const maxLength = (brand: Brand) => Math.max(...brand.lengths)

/** The digits of a number, no more than its brand has, in groups. */
export function formatNumber(digits: string): string {
  const brand = brandOf(digits)
  // If a number has 16 digits or more, it is grouped by fours; if it is shorter, as the brand prints it.
  const groups = digits.length > 15 ? fours : brand.groups
  const kept = digits.slice(0, maxLength(brand))
  const ends = groups.map((_size, index) => groups.slice(0, index + 1).reduce((sum, size) => sum + size, 0))
  return [...kept].map((digit, index) => (ends.includes(index) ? ` ${digit}` : digit)).join('')
}

/** `MM / YY` of up to four digits; a month that cannot have a second digit gets its zero. */
export function formatExpiry(digits: string): string {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits
  // What the browser fills in may have a year of four digits.
  const kept = /^\d{2}20\d{2}$/.test(padded) ? padded.slice(0, 2) + padded.slice(4) : padded.slice(0, 4)
  return kept.length < 2 ? kept : `${kept.slice(0, 2)} / ${kept.slice(2)}`
}

/** The values of the four fields: digits only, except for the postal code. */
export interface CardValues {
  readonly number: string
  readonly expiry: string
  readonly cvc: string
  readonly postalCode: string
}

/** The name of a field. */
export type FieldName = keyof CardValues

function problem(code: string, message: string): FieldError {
  return { type: 'validation_error', code, message }
}

const rules: Record<FieldName, (values: CardValues, today: Date) => FieldError | undefined> = {
  number({ number }) {
    const { lengths } = brandOf(number)
    if (number.length < Math.min(...lengths)) return problem('incomplete_number', 'Your card number is incomplete.')
    return passesLuhn(number) ? undefined : problem('invalid_number', 'Your card number is invalid.')
  },
  expiry({ expiry }, today) {
    if (expiry.length < 4) {
      return Number(expiry.slice(0, 2)) > 12
        ? problem('invalid_expiry_month', "Your card's expiration date is invalid.")
        : problem('incomplete_expiry', "Your card's expiration date is incomplete.")
    }
    const { month, year } = expiryOf(expiry)
    if (month < 1 || month > 12) return problem('invalid_expiry_month', "Your card's expiration date is invalid.")
    if (year < today.getFullYear())
      return problem('invalid_expiry_year_past', "Your card's expiration year is in the past.")
    if (year === today.getFullYear() && month < today.getMonth() + 1)
      return problem('invalid_expiry_month_past', "Your card's expiration date is in the past.")
    return year > today.getFullYear() + 50
      ? problem('invalid_expiry_year', "Your card's expiration year is invalid.")
      : undefined
  },
  cvc({ cvc, number }) {
    return cvc.length === brandOf(number).cvc
      ? undefined
      : problem('incomplete_cvc', "Your card's security code is incomplete.")
  },
  postalCode({ postalCode }) {
    return postalCode.trim().length >= 3 ? undefined : problem('incomplete_zip', 'Your postal code is incomplete.')
  },
}

/** Month and year of an expiry of four digits. */
export function expiryOf(expiry: string): { month: number; year: number } {
  return { month: Number(expiry.slice(0, 2)), year: 2000 + Number(expiry.slice(2)) }
}

/** Why a field cannot be sent as it is; undefined if it can. */
export function problemOf(field: FieldName, values: CardValues, today: Date): FieldError | undefined {
  return rules[field](values, today)
}

/** Whether there is a problem while the buyer may still be typing: an incomplete field is no problem yet. */
export function isShownAtOnce({ code }: FieldError): boolean {
  return !code.startsWith('incomplete_')
}
