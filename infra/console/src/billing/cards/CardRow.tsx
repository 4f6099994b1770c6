import { useServices } from '../../app/services.ts'
import type { Card } from '../../app/types.ts'
import { Row } from '../../lists/Row.tsx'
import { useResource } from '../../loading/resource.ts'
import { useOrganization } from '../../organizations/organizationData.ts'
import { useLocalization } from '../../texts/useLocalization.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useAction } from '../../ui/useAction.ts'
import { productName } from '../products/productLook.ts'
import { cardExpiry, cardName, isExpired } from './cardName.ts'
import { cardRemoval } from './cardRemoval.ts'

interface CardRowProps {
  readonly card: Card
  /** All cards of the organization. */
  readonly saved: readonly Card[]
}

/** A saved card: whether it is the default, what it pays for, and the ways to change that or remove it. */
export function CardRow({ card, saved }: CardRowProps) {
  const { client } = useServices()
  const { organization, cards, products } = useOrganization()
  const action = useAction()
  const say = useToast()
  const { texts, format } = useLocalization()
  const { value: offered = [] } = useResource(products)
  const { cards: own } = texts
  const name = cardName(card, texts)
  const request = { path: { payment_method_id: card.id }, query: { organization_id: organization.id } }

  const paysFor = format.list(card.pays_for.map((product) => productName(offered, product)))

  function effectOfRemoval(): string {
    const removal = cardRemoval(card, saved)
    if (removal.kind === 'free') return own.remove.free(name)
    if (removal.kind === 'blocked') return own.remove.blocked(name)
    const to = removal.to && cardName(removal.to, texts)
    return paysFor === '' ? own.remove.newDefault(to) : own.remove.moves(paysFor, to)
  }

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
          <ConfirmButton texts={{ button: texts.ui.remove, ...own.remove }} name={name} onConfirm={remove}>
            <p>{effectOfRemoval()}</p>
          </ConfirmButton>
        </>
      }
    >
      <p className="muted">{own.expires(cardExpiry(card))}</p>
      {paysFor !== '' && <p>{own.paysFor(paysFor)}</p>}
      {!card.has_paid && <p className="muted">{own.neverPaid}</p>}
    </Row>
  )
}
