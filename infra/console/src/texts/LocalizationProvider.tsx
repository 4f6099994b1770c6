import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { createLocalization } from './createLocalization.ts'
import type { LanguageSetting } from './languageSetting.ts'
import { textsOf } from './languageTexts.ts'
import { LocalizationContext } from './useLocalization.ts'

interface LocalizationProviderProps {
  readonly setting: LanguageSetting
  readonly children: ReactNode
}

/**
 * Gives its children the reader's language, and announces it to browsers and screen readers. The texts of the first language have been
 * loaded; while those of another load, the page stays as it is.
 */
export function LocalizationProvider({ setting, children }: LocalizationProviderProps) {
  const chosen = useSyncExternalStore(setting.subscribe, setting.snapshot)
  const { data: loaded } = useQuery({ ...textsOf(chosen), placeholderData: keepPreviousData })
  const localization = useMemo(() => loaded && createLocalization(loaded, navigator.languages), [loaded])
  const language = localization?.language
  useLayoutEffect(() => {
    if (language !== undefined) document.documentElement.lang = language
  }, [language])
  return localization && <LocalizationContext value={localization}>{children}</LocalizationContext>
}
