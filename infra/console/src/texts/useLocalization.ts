import { createContext, useContext } from 'react'
import type { Localization } from './createLocalization.ts'
import type { Texts } from './en.ts'

export const LocalizationContext = createContext<Localization | undefined>(undefined)

/** The language of the pages, with its texts and its way of writing dates and money. */
export function useLocalization(): Localization {
  const localization = useContext(LocalizationContext)
  if (localization === undefined) throw new Error('no localization is provided')
  return localization
}

/** The texts of the pages' language. */
export function useTexts(): Texts {
  return useLocalization().texts
}
