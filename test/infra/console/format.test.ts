import { describe, expect, it } from '@jest/globals'
import { createFormat } from '../../../infra/console/src/ui/format.ts'

const [english, german] = [createFormat('en-US'), createFormat('de-DE')]

describe('The way of writing', () => {
  it.each([
    [4900, 'usd', 'en-US', '$49.00'],
    [1, 'usd', 'en-US', '$0.01'],
    [4900, 'eur', 'de-DE', '49,00\u00a0€'],
    [4900, 'jpy', 'en-US', '¥4,900'],
    [4900, 'bhd', 'en-US', 'BHD\u00a04.900'],
    // Stripe counts it in other units than Intl does.
    [4900, 'isk', 'en-US', 'ISK\u00a049'],
  ])('%i of the smallest unit of %s in %s is %s', (amount, currency, locale, text) => {
    expect(createFormat(locale).money(amount, currency)).toBe(text)
  })

  it('a day is the locale’s', () => {
    expect(english.day('2026-12-22T12:00:00Z')).toBe('Dec 22, 2026')
    expect(german.day('2026-12-22T12:00:00Z')).toBe('22.12.2026')
  })

  it('an interval counts only what is more than one', () => {
    expect([english.interval('month', 1), english.interval('month', 3)]).toEqual(['month', '3 months'])
    expect([german.interval('year', 1), german.interval('month', 3)]).toEqual(['Jahr', '3 Monate'])
    expect([english.interval('week', 1), german.interval('week', 2)]).toEqual(['week', '2 Wochen'])
  })

  it('countries have the names of the language', () => {
    expect([english.region('DE'), german.region('DE'), german.region('OTHER')]).toEqual([
      'Germany',
      'Deutschland',
      'OTHER',
    ])
  })
})
