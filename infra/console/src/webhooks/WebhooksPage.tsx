import { useState } from 'react'
import { CopyField } from '../forms/CopyField.tsx'
import { LoadedRows } from '../lists/LoadedRows.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SecretPanel } from '../ui/SecretPanel.tsx'
import { CreateEndpoint } from './CreateEndpoint.tsx'
import { EndpointRow } from './EndpointRow.tsx'

const LIBRARIES = 'https://www.standardwebhooks.com'

/** The secret of an endpoint; null if the answer with it was lost. */
export interface FreshSecret {
  readonly endpointId: string
  readonly url: string
  readonly secret: string | null
}

/** The addresses that hear what changes in the organization; owners add, change and delete them. */
export function WebhooksPage() {
  const { organization, webhookEndpoints } = useOrganization()
  const texts = usePartTexts(webhookTexts)
  // Kept by this page alone: once it is left, the secret is nowhere.
  const [fresh, setFresh] = useState<FreshSecret>()
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack">
        {fresh !== undefined && <EndpointSecret key={fresh.secret} fresh={fresh} onDone={() => setFresh(undefined)} />}
        <LoadedRows
          resource={webhookEndpoints}
          what="webhooks"
          title={texts.listTitle}
          none={{ icon: 'send', title: texts.none, text: texts.createBelow }}
        >
          {(one) => (
            <EndpointRow
              key={one.id}
              endpoint={one}
              onSecret={(secret) => setFresh({ endpointId: one.id, url: one.url, secret })}
              onDeleted={() => setFresh((shown) => (shown?.endpointId === one.id ? undefined : shown))}
            />
          )}
        </LoadedRows>
        <CreateEndpoint onCreated={({ id, url, secret }) => setFresh({ endpointId: id, url, secret })} />
      </div>
    </>
  )
}

interface EndpointSecretProps {
  readonly fresh: FreshSecret
  readonly onDone: () => void
}

function EndpointSecret({ fresh: { url, secret }, onDone }: EndpointSecretProps) {
  const { ui } = useTexts()
  const { secret: texts } = usePartTexts(webhookTexts)
  const { host } = new URL(url)
  if (secret === null)
    return <SecretPanel title={texts.lostTitle(host)} notice={texts.lost} done={ui.close} onDone={onDone} />
  return (
    <SecretPanel title={texts.title(host)} notice={texts.store} done={texts.stored} onDone={onDone}>
      <CopyField label={texts.secret} value={secret} />
      <p className="hint">
        {texts.verify}{' '}
        <a href={LIBRARIES} target="_blank" rel="noreferrer">
          {texts.libraries}
        </a>
      </p>
    </SecretPanel>
  )
}
