import type { Language } from './language.ts'

/** The address of a hosted page, which then speaks the language (OpenID Connect Core §3.1.2.1, `ui_locales`). */
export function inLanguage(address: string, language: Language): string {
  const url = new URL(address)
  url.searchParams.set('ui_locales', language)
  return url.href
}
