import { queryOptions } from '@tanstack/react-query'
import type { LanguageTexts } from './createLocalization.ts'
import type { Language } from './language.ts'

/** Loads the texts of a language, which are a file of their own in the bundle. */
const loaders: Readonly<Record<Language, () => Promise<LanguageTexts>>> = {
  en: async () => ({ language: 'en', texts: (await import('./en.ts')).en }),
  de: async () => ({ language: 'de', texts: (await import('./de.ts')).de }),
}

/** The query for the texts of a language, which stay for as long as the page does. */
export function textsOf(language: Language) {
  return queryOptions({
    queryKey: ['texts', language],
    queryFn: loaders[language],
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}
