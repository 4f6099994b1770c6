import { describe, expect, it } from '@jest/globals'
import {
  brandOf,
  type CardValues,
  expiryOf,
  type FieldName,
  formatExpiry,
  formatNumber,
  isShownAtOnce,
  problemOf,
} from '../../stripe-js/cardRules.ts'

const today = new Date(2030, 5, 15)
const whole: CardValues = { number: '4242424242424242', expiry: '1234', cvc: '123', postalCode: '12345' }
const codeOf = (field: FieldName, change: Partial<CardValues>) => problemOf(field, { ...whole, ...change }, today)?.code

describe('The card fields', () => {
  it.each([
    ['4242424242424242', 'visa', '4242 4242 4242 4242'],
    ['42424242424242429', 'visa', '4242 4242 4242 4242'],
    ['424', 'visa', '424'],
    ['5555555555554444', 'mastercard', '5555 5555 5555 4444'],
    ['2223003122003222', 'mastercard', '2223 0031 2200 3222'],
    ['378282246310005', 'amex', '3782 822463 10005'],
    ['36227206271667', 'diners', '3622 720627 1667'],
    ['3056930009020004', 'diners', '3056 9300 0902 0004'],
    ['6200000000000005', 'unionpay', '6200 0000 0000 0005'],
    ['9', 'unknown', '9'],
  ])('know the brand of %s, %s, and group it', (digits, brand, text) => {
    expect([brandOf(digits).name, formatNumber(digits)]).toEqual([brand, text])
  })

  it.each([
    ['1', '1'],
    ['2', '02 / '],
    ['12', '12 / '],
    ['123', '12 / 3'],
    ['1234', '12 / 34'],
    ['12345', '12 / 34'],
    ['122034', '12 / 34'],
    ['934', '09 / 34'],
  ])('write %s as the expiry %s', (digits, text) => {
    expect(formatExpiry(digits)).toBe(text)
  })

  it('read the expiry as month and year', () => {
    expect(expiryOf('0934')).toEqual({ month: 9, year: 2034 })
  })

  it.each([
    ['number', {}, undefined],
    ['number', { number: '424242424242424' }, 'incomplete_number'],
    ['number', { number: '4242424242424241' }, 'invalid_number'],
    ['number', { number: '378282246310005' }, undefined],
    ['expiry', { expiry: '0630' }, undefined],
    ['expiry', { expiry: '0530' }, 'invalid_expiry_month_past'],
    ['expiry', { expiry: '1229' }, 'invalid_expiry_year_past'],
    ['expiry', { expiry: '0081' }, 'invalid_expiry_month'],
    ['expiry', { expiry: '1381' }, 'invalid_expiry_month'],
    ['expiry', { expiry: '0181' }, 'invalid_expiry_year'],
    ['expiry', { expiry: '013' }, 'incomplete_expiry'],
    ['cvc', { cvc: '12' }, 'incomplete_cvc'],
    ['cvc', { cvc: '123', number: '378282246310005' }, 'incomplete_cvc'],
    ['cvc', { cvc: '1234', number: '378282246310005' }, undefined],
    ['postalCode', { postalCode: '' }, 'incomplete_zip'],
  ] as const)('judge the %s of %j as %s', (field, change, code) => {
    expect(codeOf(field, change)).toBe(code)
  })

  it('show at once what no more typing mends', () => {
    const shown = (field: FieldName, change: Partial<CardValues>) => {
      const problem = problemOf(field, { ...whole, ...change }, today)
      return problem !== undefined && isShownAtOnce(problem)
    }
    expect(shown('number', { number: '4242424242424241' })).toBe(true)
    expect(shown('number', { number: '42' })).toBe(false)
  })
})
