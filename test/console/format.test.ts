import { describe, expect, it } from '@jest/globals'
import { formatDay, formatInterval, formatMoney } from '../../infra/console/src/ui/format.ts'

describe('formatMoney', () => {
  it.each([
    [4900, 'usd', 'en-US', '$49.00'],
    [1, 'usd', 'en-US', '$0.01'],
    [4900, 'eur', 'de-DE', '49,00\u00a0€'],
    [4900, 'jpy', 'en-US', '¥4,900'],
    [4900, 'bhd', 'en-US', 'BHD\u00a04.900'],
    // Stripe counts it in other units than Intl does.
    [4900, 'isk', 'en-US', 'ISK\u00a049'],
  ])('writes %i of the smallest unit of %s in %s as %s', (amount, currency, locale, text) => {
    expect(formatMoney(amount, currency, locale)).toBe(text)
  })
})

describe('formatDay', () => {
  it('writes a day in the way of the locale', () => {
    expect(formatDay('2026-12-22T12:00:00Z', 'en-US')).toBe('Dec 22, 2026')
    expect(formatDay('2026-12-22T12:00:00Z', 'de-DE')).toBe('22.12.2026')
  })
})

describe('formatInterval', () => {
  it('counts only what is more than one', () => {
    expect(formatInterval('month', 1)).toBe('month')
    expect(formatInterval('month', 3)).toBe('3 months')
  })
})
