import type { Branding } from '../../core/branding.ts'
import type { Language } from '../../core/language.ts'
import type { HttpEvent } from '../../http/contract.ts'
import { languageOf } from '../../http/request/request.ts'
import { type Texts, texts } from '../../texts/texts.ts'

/** The branding and the language of a page. */
export interface Look {
  readonly branding: Branding
  readonly language: Language
  readonly texts: Texts
  /** The `ui_locales` of the request; links between the pages keep it. */
  readonly uiLocales?: string | undefined
}

/**
 * The look of the pages that answer a request. Their language comes from the authorization request if it names a language, else from the
 * browser.
 * @param request the query of that authorization request; by default the query of the page, or the request in that query
 */
export function lookFor(branding: Branding, event: HttpEvent, request?: string): Look {
  const uiLocales = uiLocalesIn(request) ?? uiLocalesIn(event.rawQueryString)
  const language = languageOf(event, uiLocales)
  return { branding, language, texts: texts[language], uiLocales }
}

function uiLocalesIn(query: string | undefined): string | undefined {
  const parameters = new URLSearchParams(query ?? '')
  const own = parameters.get('ui_locales')
  return own ?? new URLSearchParams(parameters.get('request') ?? '').get('ui_locales') ?? undefined
}
