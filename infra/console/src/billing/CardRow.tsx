import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { Card } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { cardExpiry, cardName, isExpired } from './cardName.ts'

/** A saved card: whether it is the default, and the ways to change that or remove it. */
export function CardRow({ card }: { readonly card: Card }) {
  const { client } = useServices()
  const { organization, cards } = useOrganization()
  const [isRemoving, setRemoving] = useState(false)
  const action = useAction()
  const say = useToast()
  const name = cardName(card)
  const request = { path: { payment_method_id: card.id }, query: { organization_id: organization.id } }

  async function makeDefault(): Promise<void> {
    const done = await action.run(async () => {
      await client.setDefaultPaymentMethod(request)
      await cards.reload()
    })
    if (done) say(`${name} is the default now`)
  }

  async function remove(): Promise<void> {
    await client.removePaymentMethod(request)
    await cards.reload()
    say(`${name} is removed`)
  }

  return (
    <Row
      icon="card"
      title={name}
      badges={
        <>
          {card.is_default && <Badge tone="good">Default</Badge>}
          {isExpired(card, new Date()) && <Badge tone="bad">Expired</Badge>}
        </>
      }
      error={action.error}
      actions={
        <>
          {!card.is_default && (
            <Button running={action.running} label={`Make default: ${name}`} onClick={() => void makeDefault()}>
              Make default
            </Button>
          )}
          <Button kind="quiet" label={`Remove ${name}`} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </>
      }
      more={
        isRemoving && (
          <ConfirmDialog
            title="Remove this card?"
            confirm="Remove card"
            onConfirm={remove}
            onClose={() => setRemoving(false)}
          >
            <p>{name} is not used any more. Invoices that it has paid stay.</p>
          </ConfirmDialog>
        )
      }
    >
      <p className="muted">Expires {cardExpiry(card)}</p>
    </Row>
  )
}
