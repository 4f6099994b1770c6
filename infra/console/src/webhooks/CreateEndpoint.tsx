import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { NewWebhookEndpoint } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import { useAction } from '../ui/useAction.ts'
import { EndpointForm } from './EndpointForm.tsx'
import { type EndpointDraft, emptyDraft, endpointDraft } from './endpointDraft.ts'

/** Creates an endpoint, whose secret `onCreated` shows. */
export function CreateEndpoint({ onCreated }: { readonly onCreated: (created: NewWebhookEndpoint) => void }) {
  const { client } = useServices()
  const { organization, webhookEndpoints } = useOrganization()
  const stepUp = useStepUp(`create webhook ${organization.id}`, endpointDraft, (kept) => void create(kept))
  const action = useAction()
  const { create: texts } = usePartTexts(webhookTexts)
  const [round, setRound] = useState(0)

  async function create(body: EndpointDraft): Promise<void> {
    const done = await action.run(async () => {
      await stepUp.run(body, async () =>
        onCreated(await client.createWebhookEndpoint({ path: { organization_id: organization.id }, body })),
      )
      await webhookEndpoints.reload()
    })
    if (done) setRound(round + 1)
  }

  return (
    <EndpointForm
      key={round}
      initial={round === 0 ? (stepUp.kept ?? emptyDraft) : emptyDraft}
      action={action}
      texts={texts}
      onSubmit={create}
    />
  )
}
