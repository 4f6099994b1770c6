import { type ComponentProps, useRef } from 'react'
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
      texts={texts}
      name={host}
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
    />
  )
}

/** The button and the question that end the sending. */
export function DisableEndpoint({ endpoint }: EndpointProps) {
  const { client, path, reload, ...question } = useEndpoint(endpoint, 'disable')
  return (
    <EndpointQuestion
      {...question}
      texts={usePartTexts(webhookTexts).disable}
      act={() => client.updateWebhookEndpoint({ path, body: { enabled: false } })}
      done={reload}
    />
  )
}

/** The button and the question that delete an endpoint. */
export function DeleteEndpoint({ endpoint, onDeleted }: EndpointProps & { readonly onDeleted: () => void }) {
  const { client, path, reload, ...question } = useEndpoint(endpoint, 'delete')
  const say = useToast()
  const { remove: texts } = usePartTexts(webhookTexts)
  return (
    <EndpointQuestion
      {...question}
      texts={texts}
      act={() => client.deleteWebhookEndpoint({ path })}
      done={async () => {
        onDeleted()
        await reload()
        say(texts.done)
      }}
    />
  )
}

interface EndpointQuestionProps extends Pick<ReturnType<typeof useEndpoint>, 'host' | 'stepUp'> {
  readonly texts: ComponentProps<typeof ConfirmButton>['texts']
  /** The request, for which the sign-in must be recent. */
  readonly act: () => Promise<unknown>
  readonly done: () => Promise<void>
}

function EndpointQuestion({ host, stepUp, texts, act, done }: EndpointQuestionProps) {
  return (
    <ConfirmButton
      texts={texts}
      name={host}
      asksAtOnce={stepUp.isSignedIn}
      onConfirm={async () => {
        await stepUp.run(true, act)
        await done()
      }}
    />
  )
}
