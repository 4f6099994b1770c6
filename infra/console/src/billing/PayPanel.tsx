import { useServices } from '../app/services.ts'
import type { Card, Subscription } from '../app/types.ts'
import { Form } from '../forms/Form.tsx'
import { Loaded } from '../loading/Loaded.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { CardOptions } from './cards/CardOptions.tsx'
import { useCardChoice } from './cards/useCardChoice.ts'
import { usePayments } from './usePayments.ts'

interface PayPanelProps {
  readonly subscription: Subscription
  /** The product's name. */
  readonly name: string
  readonly onClose: () => void
}

/**
 * Pays the open invoice of a subscription, with a saved or a new card. This is no dialog, because the bank's dialog
 * must be able to lie above it.
 */
export function PayPanel(props: PayPanelProps) {
  const { cards } = useOrganization()
  return (
    <div className="row-more">
      <Loaded resource={cards} what="cards" rows={1}>
        {(saved) => <PayForm {...props} cards={saved} />}
      </Loaded>
    </div>
  )
}

function PayForm({ subscription, name, cards, onClose }: PayPanelProps & { readonly cards: readonly Card[] }) {
  const { client } = useServices()
  const { organization, cards: resource } = useOrganization()
  const { pay } = usePayments()
  const choice = useCardChoice(cards)
  const action = useAction()
  const { products: texts } = useTexts()
  const say = useToast()
  const { product, status } = subscription

  async function submit(): Promise<void> {
    const paid = await action.run(async () => {
      const id = await choice.cardId()
      const isDefault = resource.value()?.some((card) => card.id === id && card.is_default)
      // Renewals are charged to the default card: if another card paid once, the next month would fail again.
      if (status !== 'incomplete' && !isDefault) {
        await client.setDefaultPaymentMethod({
          path: { payment_method_id: id },
          query: { organization_id: organization.id },
        })
        await resource.reload()
      }
      await pay(product, id)
    })
    if (!paid) return
    say(texts.actions.paid(name))
    onClose()
  }

  return (
    <Form
      form={{ action }}
      texts={{ title: texts.payPanel.title(name), button: texts.actions.pay }}
      level={4}
      className="pay-panel"
      onSubmit={submit}
      onClose={onClose}
    >
      <CardOptions cards={cards} choice={choice} />
      {status !== 'incomplete' && <p className="hint">{texts.payPanel.hint}</p>}
    </Form>
  )
}
