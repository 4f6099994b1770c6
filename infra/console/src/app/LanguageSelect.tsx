import { languageNames, languages } from '../texts/language.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'
import { useServices } from './services.ts'

/** The choice of the pages' language, each by its own name. */
export function LanguageSelect() {
  const { language } = useServices()
  const { language: current, texts } = useLocalization()
  return (
    <span className="language">
      <Icon name="globe" />
      <select
        aria-label={texts.app.language}
        value={current}
        onChange={(event) => {
          const chosen = languages.find((one) => one === event.target.value)
          if (chosen !== undefined) language.choose(chosen)
        }}
      >
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {languageNames[one]}
          </option>
        ))}
      </select>
    </span>
  )
}
