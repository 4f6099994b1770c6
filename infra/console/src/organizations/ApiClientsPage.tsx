import { useState } from 'react'
import { Link } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { NewApiClient } from '../app/types.ts'
import { CopyField } from '../forms/CopyField.tsx'
import { LoadedRows } from '../lists/LoadedRows.tsx'
import { apiClientTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SecretPanel } from '../ui/SecretPanel.tsx'
import { ApiClientRow } from './ApiClientRow.tsx'
import { CreateApiClientForm } from './CreateApiClientForm.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'
import { tokenCommand } from './tokenCommand.ts'

/** The programs that act for the organization; owners create them, give them new secrets and delete them. */
export function ApiClientsPage() {
  const { organization, apiClients } = useOrganization()
  const texts = usePartTexts(apiClientTexts)
  const canManage = may(organization.role, 'manage API clients')
  // Kept by this page alone: once it is left, the secret is nowhere.
  const [fresh, setFresh] = useState<NewApiClient>()
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack">
        {fresh !== undefined && (
          <ClientSecret key={fresh.client_secret} client={fresh} onDone={() => setFresh(undefined)} />
        )}
        <LoadedRows
          resource={apiClients}
          what="apiClients"
          title={texts.title}
          none={{ icon: 'key', title: texts.none, text: canManage ? texts.createBelow : texts.askOwner }}
        >
          {(one) => (
            <ApiClientRow
              key={one.id}
              apiClient={one}
              onSecret={setFresh}
              onDeleted={() => setFresh((shown) => (shown?.id === one.id ? undefined : shown))}
            />
          )}
        </LoadedRows>
        {canManage ? (
          <CreateApiClientForm onCreated={setFresh} />
        ) : (
          <p className="muted">
            {texts.owners} <Link to={{ page: 'members', organizationId: organization.id }}>{texts.seeMembers}</Link>
          </p>
        )}
      </div>
    </>
  )
}

interface ClientSecretProps {
  readonly client: NewApiClient
  readonly onDone: () => void
}

/** The id and the new secret of an API client, shown together only once. */
function ClientSecret({ client, onDone }: ClientSecretProps) {
  const { name, client_id, client_secret } = client
  const { ui } = useTexts()
  const { securityUrl } = useServices()
  const { secret: texts } = usePartTexts(apiClientTexts)
  if (client_secret === null)
    return <SecretPanel title={texts.lostTitle(name)} notice={texts.lost} done={ui.close} onDone={onDone} />
  return (
    <SecretPanel title={texts.title(name)} notice={texts.store} done={texts.stored} onDone={onDone}>
      <CopyField label={texts.id} value={client_id} />
      <CopyField label={texts.secret} value={client_secret} />
      <CopyField label={texts.command} value={tokenCommand(new URL('/api/oauth/token', securityUrl), client)} />
    </SecretPanel>
  )
}
