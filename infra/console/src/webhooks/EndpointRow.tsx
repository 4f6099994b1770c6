import { useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { WebhookEndpoint } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { DeliveryList } from './DeliveryList.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { type EndpointDraft, endpointDraft } from './endpointDraft.ts'
import { DeleteEndpoint, DisableEndpoint, RotateSecret } from './endpointQuestions.tsx'

interface EndpointRowProps {
  readonly endpoint: WebhookEndpoint
  /** Called with a new secret, so that the panel can take the focus. */
  readonly onSecret: (secret: string) => void
  readonly onDeleted: () => void
}

/** An endpoint with what can be done about it, its form and its deliveries. */
export function EndpointRow({ endpoint, onSecret, onDeleted }: EndpointRowProps) {
  const { client } = useServices()
  const { organization, webhookEndpoints } = useOrganization()
  const { id, url, description, event_types, enabled, disabled_reason, created_at } = endpoint
  const { format } = useLocalization()
  const say = useToast()
  const own = usePartTexts(webhookTexts)
  const path = { organization_id: organization.id, endpoint_id: id }
  const editing = useStepUp(`update webhook ${organization.id} ${id}`, endpointDraft, (kept) => void save(kept))
  const enabling = useStepUp(`enable webhook ${organization.id} ${id}`, z.literal(true), () => void enable())
  /** What was typed before another sign-in, until it is saved or given up. */
  const [kept, setKept] = useState(editing.kept)
  const [shown, setShown] = useState<'form' | 'deliveries' | undefined>(editing.kept && 'form')
  /** Counts what was sent by this page, so that the list reads it. */
  const [sent, setSent] = useState(0)
  const saving = useAction()
  const other = useAction()
  const { host } = new URL(url)

  async function save(draft: EndpointDraft): Promise<void> {
    const done = await saving.run(async () => {
      await editing.run(draft, () => client.updateWebhookEndpoint({ path, body: draft }))
      await webhookEndpoints.reload()
    })
    if (!done) return
    setKept(undefined)
    setShown(undefined)
    say(own.edit.done)
  }

  async function enable(): Promise<void> {
    await other.run(async () => {
      await enabling.run(true, () => client.updateWebhookEndpoint({ path, body: { enabled: true } }))
      await webhookEndpoints.reload()
    })
  }

  async function test(): Promise<void> {
    const done = await other.run(() => client.testWebhookEndpoint({ path }))
    if (!done) return
    say(own.test.done)
    setSent(sent + 1)
    setShown('deliveries')
  }

  const toggle = (part: 'form' | 'deliveries') => setShown(shown === part ? undefined : part)
  return (
    <Row
      icon="send"
      title={url}
      badges={!enabled && <Badge tone={disabled_reason === null ? 'neutral' : 'bad'}>{own.disabled}</Badge>}
      error={other.error}
      more={
        <div className="row-more stack">
          <div className="row-actions">
            {enabled ? (
              <Button kind="quiet" label={own.test.named(host)} running={other.running} onClick={() => void test()}>
                {own.test.button}
              </Button>
            ) : (
              <Button kind="quiet" label={own.enable.named(host)} running={other.running} onClick={() => void enable()}>
                {own.enable.button}
              </Button>
            )}
            <Button kind="quiet" label={own.deliveries.named(host)} onClick={() => toggle('deliveries')}>
              {own.deliveries.button}
            </Button>
            <Button kind="quiet" label={own.edit.named(host)} onClick={() => toggle('form')}>
              {own.edit.button}
            </Button>
            <RotateSecret endpoint={endpoint} onSecret={onSecret} />
            {enabled && <DisableEndpoint endpoint={endpoint} />}
            <DeleteEndpoint endpoint={endpoint} onDeleted={onDeleted} />
          </div>
          {shown === 'form' && (
            <EndpointForm
              initial={kept ?? endpointDraft.parse(endpoint)}
              action={saving}
              texts={{ title: own.edit.title(host), button: own.edit.save }}
              level={4}
              onSubmit={save}
              onClose={() => {
                saving.reset()
                setKept(undefined)
                setShown(undefined)
              }}
            />
          )}
          {shown === 'deliveries' && <DeliveryList endpoint={endpoint} sent={sent} onSent={() => setSent(sent + 1)} />}
        </div>
      }
    >
      {description !== '' && <p>{description}</p>}
      <p className="muted small">{event_types === null ? own.form.everything : event_types.join(', ')}</p>
      {disabled_reason !== null && <p className="small">{own.reasons[reasonOf(disabled_reason)]}</p>}
      <p className="muted small">{own.created(format.day(created_at))}</p>
    </Row>
  )
}

function reasonOf(reason: string): 'gone' | 'failing' {
  return reason === 'gone' ? 'gone' : 'failing'
}
