import { type ReactNode, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { createLocalization } from './createLocalization.ts'
import type { LanguageSetting } from './languageSetting.ts'
import { LocalizationContext } from './useLocalization.ts'

interface LocalizationProviderProps {
  readonly setting: LanguageSetting
  readonly children: ReactNode
}

/** Gives its children the reader's language, and announces it to browsers and screen readers. */
export function LocalizationProvider({ setting, children }: LocalizationProviderProps) {
  const language = useSyncExternalStore(setting.subscribe, setting.snapshot)
  const localization = useMemo(() => createLocalization(language, navigator.languages), [language])
  useLayoutEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return <LocalizationContext value={localization}>{children}</LocalizationContext>
}
