import { useState } from 'react'
import type { NewApiClient } from '../app/types.ts'
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
  const canManage = may(organization.role, 'manage API clients')
  // Kept by this page alone: once it is left, the secret is nowhere.
  const [fresh, setFresh] = useState<NewApiClient>()
  return (
    <>
      <PageHeader
        title="API clients"
        lead={`Programs that act for ${organization.name} by themselves, such as your own server.`}
      />
      <div className="stack">
        {fresh !== undefined && (
          <SecretPanel key={fresh.client_secret} client={fresh} onDone={() => setFresh(undefined)} />
        )}
        <Loaded resource={apiClients} what="apiClients">
          {(all) =>
            all.length === 0 ? (
              <EmptyState icon="key" title="No program has access">
                <p>
                  {canManage
                    ? 'Create an API client below to call the API from a server.'
                    : 'An owner of the organization can create an API client.'}
                </p>
              </EmptyState>
            ) : (
              <section aria-labelledby="api-clients">
                <h2 id="api-clients">
                  API clients <span className="count">{all.length}</span>
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
