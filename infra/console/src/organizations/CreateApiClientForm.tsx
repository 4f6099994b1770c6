import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { NewApiClient } from '../app/types.ts'
import { CheckOption } from '../forms/CheckOption.tsx'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useForm } from '../forms/useForm.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { apiClientTexts, usePartTexts } from '../texts/partTexts.ts'
import { type ApiClientDraft, apiClientDraft, apiClientScopes } from './apiClientScopes.ts'
import { useOrganization } from './organizationData.ts'

/** Creates an API client, whose secret `onCreated` shows. */
export function CreateApiClientForm({ onCreated }: { readonly onCreated: (created: NewApiClient) => void }) {
  const { client } = useServices()
  const { organization, apiClients } = useOrganization()
  const stepUp = useStepUp(`create API client ${organization.id}`, apiClientDraft, (kept) => void create(kept))
  const form = useForm({ name: stepUp.kept?.name ?? '' })
  const [scopes, setScopes] = useState<ApiClientDraft['scopes']>(stepUp.kept?.scopes ?? [])
  const own = usePartTexts(apiClientTexts).create
  const name = form.typed.name.trim()

  async function create(body: ApiClientDraft): Promise<void> {
    const done = await form.action.run(async () => {
      await stepUp.run(body, async () =>
        onCreated(await client.createApiClient({ path: { organization_id: organization.id }, body })),
      )
      await apiClients.reload()
    })
    if (!done) return
    form.set({ name: '' })
    setScopes([])
  }

  return (
    <Form
      form={form}
      texts={own}
      disabled={name === '' || scopes.length === 0}
      onSubmit={() => create({ name, scopes })}
    >
      <TextField
        label={own.name}
        hint={own.hint}
        autoComplete="off"
        maxLength={100}
        placeholder={own.example}
        {...form.field('name')}
      />
      <ScopeOptions chosen={scopes} onChange={setScopes} />
    </Form>
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
