/** The languages of the console, the default first. */
export const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]

/** Each language's own name, for the choice between them. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const satisfies Record<Language, string>

/** The language of a tag, by its primary subtag: `de-AT` is German. Undefined if the console does not have it. */
export function languageOf(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split('-')
  return languages.find((language) => language === primary)
}

/**
 * The first of a reader's languages that the console speaks, else English.
 * @param tags BCP 47, the preferred first, as in `navigator.languages`
 */
export function chooseLanguage(tags: readonly string[]): Language {
  return tags.map(languageOf).find(Boolean) ?? 'en'
}

/** How dates and money are written in a language: as in the reader's country if a language tag names it, such as `de-AT`. */
export function localeOf(language: Language, tags: readonly string[]): string {
  return tags.find((tag) => languageOf(tag) === language) ?? language
}
