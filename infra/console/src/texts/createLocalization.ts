import { createFormat, type Format } from '../ui/format.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { type Language, localeOf } from './language.ts'

/** All that a page needs to speak a language. */
export interface Localization {
  readonly language: Language
  readonly texts: Texts
  readonly format: Format
}

const textsByLanguage: Readonly<Record<Language, Texts>> = { en, de }

/** @param tags the browser's languages, for the reader's way of writing dates and money */
export function createLocalization(language: Language, tags: readonly string[] = []): Localization {
  return { language, texts: textsByLanguage[language], format: createFormat(localeOf(language, tags)) }
}
