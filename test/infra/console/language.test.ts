import { describe, expect, it } from '@jest/globals'
import { memoryStorage } from '../../../infra/client/src/tokenStore.ts'
import { chooseLanguage, localeOf } from '../../../infra/console/src/texts/language.ts'
import { createLanguageSetting } from '../../../infra/console/src/texts/languageSetting.ts'

describe('The language of the console', () => {
  it.each([
    [['de'], 'de'],
    [['de-AT', 'en'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['fr-CH', 'DE-ch', 'en'], 'de'],
    [['fr'], 'en'],
    [['deutsch'], 'en'],
    [[], 'en'],
  ])('is, for a browser that prefers %j, %s', (tags, language) => {
    expect(chooseLanguage(tags)).toBe(language)
  })

  it.each([
    ['de', ['fr', 'de-AT', 'en-US'], 'de-AT'],
    ['en', ['de-DE', 'en-GB'], 'en-GB'],
    ['de', ['en-US'], 'de'],
  ] as const)('writes dates and money, in %s for a reader of %j, as in %s', (language, tags, locale) => {
    expect(localeOf(language, tags)).toBe(locale)
  })

  it('is the one that was chosen, also after the page is left', () => {
    const storage = memoryStorage()
    const setting = createLanguageSetting(['en-US'], () => storage)
    let heard = 0
    setting.subscribe(() => heard++)
    expect(setting.snapshot()).toBe('en')
    setting.choose('de')
    expect([setting.snapshot(), heard]).toEqual(['de', 1])
    expect(createLanguageSetting(['en-US'], () => storage).snapshot()).toBe('de')
  })

  it('can be chosen in a browser that keeps nothing', () => {
    const setting = createLanguageSetting(['de'], () => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(setting.snapshot()).toBe('de')
    setting.choose('en')
    expect(setting.snapshot()).toBe('en')
  })

  it('is the browser’s where what was kept is none', () => {
    const storage = memoryStorage()
    storage.setItem('console:language', 'xx')
    expect(createLanguageSetting(['de'], () => storage).snapshot()).toBe('de')
  })
})
