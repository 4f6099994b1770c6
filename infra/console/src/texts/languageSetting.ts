import type { TextStorage } from '../../../client/src/index.ts'
import { createObservable, type Observable } from '../loading/observable.ts'
import { chooseLanguage, type Language, languageOf } from './language.ts'

/** The reader's language: the chosen language, else the browser's. */
export interface LanguageSetting extends Observable<Language> {
  /** Keeps the choice in this browser, or until the page is left if the browser stores nothing. */
  choose(language: Language): void
}

const KEY = 'console:language'

/**
 * @param tags the browser's languages, the preferred first
 * @param storage gives `localStorage`, and may throw, as browsers do that are not allowed to keep anything
 */
export function createLanguageSetting(tags: readonly string[], storage: () => TextStorage): LanguageSetting {
  const { show, ...current } = createObservable(keptIn(storage) ?? chooseLanguage(tags))
  return {
    ...current,
    choose(language) {
      keepIn(storage, language)
      show(language)
    },
  }
}

function keptIn(storage: () => TextStorage): Language | undefined {
  try {
    return languageOf(storage().getItem(KEY) ?? '')
  } catch {
    return undefined
  }
}

function keepIn(storage: () => TextStorage, language: Language): void {
  try {
    storage().setItem(KEY, language)
  } catch {
    // A private window, or no room: the choice lasts as long as the page.
  }
}
