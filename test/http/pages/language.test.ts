import { describe, expect, it } from '@jest/globals'
import { chooseLanguage } from '../../../lib/core/language.ts'

describe('The language of a page or mail', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-de, en;q=0.9', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['en;q=0.3, de;q=0.7', 'de'],
    ['fr, de;q=0.5, en;q=0.4', 'de'],
    ['de;q=0, en;q=0.1', 'en'],
    ['fr-CH, fr', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['deutsch', 'en'],
    [';;;,,,q=1', 'en'],
    [`${'fr,'.repeat(5000)}de`, 'en'],
  ])('is, for a browser that accepts %j, %s (RFC 9110 §12.5.4)', (acceptLanguage, language) => {
    expect(chooseLanguage({ acceptLanguage })).toBe(language)
  })

  it.each([
    ['de', 'en', 'de'],
    ['fr de en', 'en', 'de'],
    ['en-GB de', 'de', 'en'],
    ['fr', 'de', 'de'],
    ['', 'de', 'de'],
  ])(
    'is, for ui_locales=%j and a browser that accepts %s, %s (OpenID Connect Core §3.1.2.1)',
    (uiLocales, acceptLanguage, language) => {
      expect(chooseLanguage({ uiLocales, acceptLanguage })).toBe(language)
    },
  )
})
