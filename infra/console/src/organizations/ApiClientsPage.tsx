import { useState } from 'react'
import type { NewApiClient } from '../app/types.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ApiClientRow } from './ApiClientRow.tsx'
import { CreateApiClientForm } from './CreateApiClientForm.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'
import { SecretPanel } from './SecretPanel.tsx'

/** The programs that act for the organization; owners create them, give them new secrets and delete them. */
export function ApiClientsPage() {
  const { organization, apiClients } = useOrganization()
  const texts = useTexts().apiClients
  const canManage = may(organization.role, 'manage API clients')
  // Kept by this page alone: once it is left, the secret is nowhere.
  const [fresh, setFresh] = useState<NewApiClient>()
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack">
        {fresh !== undefined && (
          <SecretPanel key={fresh.client_secret} client={fresh} onDone={() => setFresh(undefined)} />
        )}
        <Loaded resource={apiClients} what="apiClients">
          {(all) =>
            all.length === 0 ? (
              <EmptyState icon="key" title={texts.none}>
                <p>{canManage ? texts.createBelow : texts.askOwner}</p>
              </EmptyState>
            ) : (
              <section aria-labelledby="api-clients">
                <h2 id="api-clients">
                  {texts.title} <span className="count">{all.length}</span>
                </h2>
                <ul className="rows">
                  {all.map((one) => (
                    <ApiClientRow
                      key={one.id}
                      apiClient={one}
                      onSecret={setFresh}
                      onDeleted={() => setFresh((shown) => (shown?.id === one.id ? undefined : shown))}
                    />
                  ))}
                </ul>
              </section>
            )
          }
        </Loaded>
        {canManage && <CreateApiClientForm onCreated={setFresh} />}
      </div>
    </>
  )
}
