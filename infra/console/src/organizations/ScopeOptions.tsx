import { useTexts } from '../texts/useLocalization.ts'
import { type ApiClientDraft, apiClientScopes } from './apiClientScopes.ts'

interface ScopeOptionsProps {
  readonly chosen: ApiClientDraft['scopes']
  readonly onChange: (scopes: ApiClientDraft['scopes']) => void
}

/** The scopes of an API client, at least one. */
export function ScopeOptions({ chosen, onChange }: ScopeOptionsProps) {
  const { scopes: texts, create } = useTexts().apiClients
  return (
    <fieldset className="options">
      <legend>{create.may}</legend>
      {apiClientScopes.map((scope) => (
        <label key={scope} className="option">
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(apiClientScopes.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
            }
          />
          <span className="option-text">
            <span>{texts[scope]}</span>
            <span className="muted">{scope}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
