import { chooseLanguage, type Language } from '../../core/language.ts'
import type { HttpEvent } from '../contract.ts'
import { header } from './request.ts'

/**
 * The language that a request asks for: of the pages and mails that it causes.
 * @param uiLocales the `ui_locales` of its authorization request, which count more than the header
 */
export function languageOf(event: Pick<HttpEvent, 'headers'>, uiLocales?: string): Language {
  return chooseLanguage({ uiLocales, acceptLanguage: header(event, 'accept-language') })
}
