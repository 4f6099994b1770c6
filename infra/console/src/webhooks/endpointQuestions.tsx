import { useRef } from 'react'
import { useServices } from '../app/services.ts'
import type { WebhookEndpoint } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { useToast } from '../ui/Toasts.tsx'

interface EndpointProps {
  readonly endpoint: WebhookEndpoint
}

/** What the questions have in common: the endpoint's path and host, and the list that shows it. */
function useEndpoint({ id, url }: WebhookEndpoint, verb: string) {
  const { client } = useServices()
  const { organization, webhookEndpoints } = useOrganization()
  const stepUp = useStepUp(`${verb} webhook ${organization.id} ${id}`, nothing)
  const path = { organization_id: organization.id, endpoint_id: id }
  return { client, path, host: new URL(url).host, stepUp, reload: () => webhookEndpoints.reload() }
}

/** The button and the question for a new secret. */
export function RotateSecret({ endpoint, onSecret }: EndpointProps & { readonly onSecret: (secret: string) => void }) {
  const { client, path, host, stepUp } = useEndpoint(endpoint, 'rotate')
  const { rotate: texts } = usePartTexts(webhookTexts)
  const rotated = useRef<string>(undefined)
  return (
    <ConfirmButton
      button={texts.button}
      label={texts.named(host)}
      title={texts.question(host)}
      confirm={texts.confirm}
      keep={texts.keep}
      asksAtOnce={stepUp.isSignedIn}
      onConfirm={() =>
        stepUp.run(true, async () => {
          rotated.current = (await client.rotateWebhookSecret({ path })).secret
        })
      }
      onClosed={() => {
        // Only when the question is closed can the panel take the focus.
        if (rotated.current !== undefined) onSecret(rotated.current)
        rotated.current = undefined
      }}
    >
      <p>{texts.effects}</p>
    </ConfirmButton>
  )
}

/** The button and the question that end the sending. */
export function DisableEndpoint({ endpoint }: EndpointProps) {
  const { client, path, host, stepUp, reload } = useEndpoint(endpoint, 'disable')
  const { disable: texts } = usePartTexts(webhookTexts)
  return (
    <ConfirmButton
      button={texts.button}
      label={texts.named(host)}
      title={texts.question(host)}
      confirm={texts.confirm}
      asksAtOnce={stepUp.isSignedIn}
      onConfirm={async () => {
        await stepUp.run(true, () => client.updateWebhookEndpoint({ path, body: { enabled: false } }))
        await reload()
      }}
    >
      <p>{texts.effects}</p>
    </ConfirmButton>
  )
}

/** The button and the question that delete an endpoint. */
export function DeleteEndpoint({ endpoint, onDeleted }: EndpointProps & { readonly onDeleted: () => void }) {
  const { client, path, host, stepUp, reload } = useEndpoint(endpoint, 'delete')
  const say = useToast()
  const { remove: texts } = usePartTexts(webhookTexts)
  return (
    <ConfirmButton
      button={texts.button}
      label={texts.named(host)}
      title={texts.question(host)}
      confirm={texts.confirm}
      asksAtOnce={stepUp.isSignedIn}
      onConfirm={async () => {
        await stepUp.run(true, () => client.deleteWebhookEndpoint({ path }))
        onDeleted()
        await reload()
        say(texts.done)
      }}
    >
      <p>{texts.effects}</p>
    </ConfirmButton>
  )
}
