import { useServices } from '../app/services.ts'
import type { Card } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { cardExpiry, cardName, isExpired } from './cardName.ts'

/** A saved card: whether it is the default, and the ways to change that or remove it. */
export function CardRow({ card }: { readonly card: Card }) {
  const { client } = useServices()
  const { organization, cards } = useOrganization()
  const action = useAction()
  const say = useToast()
  const texts = useTexts()
  const { cards: own } = texts
  const name = cardName(card, texts)
  const request = { path: { payment_method_id: card.id }, query: { organization_id: organization.id } }

  async function makeDefault(): Promise<void> {
    const done = await action.run(async () => {
      await client.setDefaultPaymentMethod(request)
      await cards.reload()
    })
    if (done) say(own.isDefaultNow(name))
  }

  async function remove(): Promise<void> {
    await client.removePaymentMethod(request)
    await cards.reload()
    say(own.remove.done(name))
  }

  return (
    <Row
      icon="card"
      title={name}
      badges={
        <>
          {card.is_default && <Badge tone="good">{own.isDefault}</Badge>}
          {isExpired(card, new Date()) && <Badge tone="bad">{own.isExpired}</Badge>}
        </>
      }
      error={action.error}
      actions={
        <>
          {!card.is_default && (
            <Button running={action.running} label={own.makeDefaultNamed(name)} onClick={() => void makeDefault()}>
              {own.makeDefault}
            </Button>
          )}
          <ConfirmButton
            button={texts.ui.remove}
            label={own.remove.named(name)}
            title={own.remove.question}
            confirm={own.remove.confirm}
            onConfirm={remove}
          >
            <p>{own.remove.effects(name)}</p>
          </ConfirmButton>
        </>
      }
    >
      <p className="muted">{own.expires(cardExpiry(card))}</p>
    </Row>
  )
}
