import type { Language } from './language.ts'

/** A day in UTC, in words: `22 December 2026`, `22. Dezember 2026`. */
export function formatDate(milliseconds: number, language: Language): string {
  const locale = { en: 'en-GB', de: 'de-DE' }[language]
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(milliseconds)
}
