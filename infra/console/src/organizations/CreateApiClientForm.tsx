import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import type { NewApiClient } from '../app/types.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { apiClientTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { CheckOption } from '../ui/CheckOption.tsx'
import { TextField } from '../ui/Field.tsx'
import { FormActions } from '../ui/FormActions.tsx'
import { useAction } from '../ui/useAction.ts'
import { type ApiClientDraft, apiClientDraft, apiClientScopes } from './apiClientScopes.ts'
import { useOrganization } from './organizationData.ts'

/** Creates an API client, whose secret `onCreated` shows. */
export function CreateApiClientForm({ onCreated }: { readonly onCreated: (created: NewApiClient) => void }) {
  const { client } = useServices()
  const { organization, apiClients } = useOrganization()
  const stepUp = useStepUp(`create API client ${organization.id}`, apiClientDraft, (kept) => void create(kept))
  const [name, setName] = useState(stepUp.kept?.name ?? '')
  const [scopes, setScopes] = useState<ApiClientDraft['scopes']>(stepUp.kept?.scopes ?? [])
  const action = useAction()
  const texts = useTexts()
  const own = usePartTexts(apiClientTexts).create
  const problem = fieldProblems(action.error, texts, texts.problems.fields).name

  async function create(body: ApiClientDraft): Promise<void> {
    const done = await action.run(async () => {
      await stepUp.run(body, async () =>
        onCreated(await client.createApiClient({ path: { organization_id: organization.id }, body })),
      )
      await apiClients.reload()
    })
    if (!done) return
    setName('')
    setScopes([])
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void create({ name: name.trim(), scopes })
  }

  return (
    <form className="panel form" aria-labelledby="create-api-client" onSubmit={submit} noValidate>
      <h2 id="create-api-client">{own.title}</h2>
      <TextField
        label={own.name}
        hint={own.hint}
        problem={problem}
        value={name}
        autoComplete="off"
        maxLength={100}
        placeholder={own.example}
        onChange={setName}
      />
      <ScopeOptions chosen={scopes} onChange={setScopes} />
      <FormActions
        action={action}
        submit={own.button}
        disabled={name.trim() === '' || scopes.length === 0}
        isExplained={problem !== undefined}
      />
    </form>
  )
}

interface ScopeOptionsProps {
  readonly chosen: ApiClientDraft['scopes']
  readonly onChange: (scopes: ApiClientDraft['scopes']) => void
}

/** The scopes of an API client, at least one. */
function ScopeOptions({ chosen, onChange }: ScopeOptionsProps) {
  const { scopes: texts, create } = usePartTexts(apiClientTexts)
  return (
    <fieldset className="options">
      <legend>{create.may}</legend>
      {apiClientScopes.map((scope) => (
        <CheckOption
          key={scope}
          title={texts[scope]}
          detail={scope}
          checked={chosen.includes(scope)}
          onChange={(checked) =>
            onChange(apiClientScopes.filter((one) => (one === scope ? checked : chosen.includes(one))))
          }
        />
      ))}
    </fieldset>
  )
}
