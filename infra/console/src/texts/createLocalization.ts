import { createFormat, type Format } from '../ui/format.ts'
import type { Texts } from './en.ts'
import { type Language, localeOf } from './language.ts'

/** A language with its texts. */
export interface LanguageTexts {
  readonly language: Language
  readonly texts: Texts
}

/** All that a page needs to speak a language. */
export interface Localization extends LanguageTexts {
  readonly format: Format
}

/** @param tags the browser's languages, for the reader's way of writing dates and money */
export function createLocalization({ language, texts }: LanguageTexts, tags: readonly string[] = []): Localization {
  return { language, texts, format: createFormat(localeOf(language, tags)) }
}
