import { useRef } from 'react'
import { useServices } from '../../app/services.ts'
import { Form } from '../../forms/Form.tsx'
import { useOrganization } from '../../organizations/organizationData.ts'
import { useTexts } from '../../texts/useLocalization.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { useAction } from '../../ui/useAction.ts'
import { CardField, type MountedCard } from './CardField.tsx'
import { PaymentError } from './paymentError.ts'
import { setUpCard } from './stripe.ts'

/** Adds a card, with 3-D Secure if its bank requires it. */
export function AddCardForm({ onClose }: { readonly onClose: () => void }) {
  const { client } = useServices()
  const { organization, cards } = useOrganization()
  const field = useRef<MountedCard>(undefined)
  const action = useAction()
  const { cards: texts } = useTexts()
  const say = useToast()

  async function add(): Promise<void> {
    const added = await action.run(async () => {
      const mounted = field.current
      if (mounted === undefined) throw new PaymentError('form_loading')
      const { client_secret } = await client.createSetupIntent({ query: { organization_id: organization.id } })
      await setUpCard(mounted.stripe, client_secret, mounted.element)
      await cards.reload()
    })
    if (!added) return
    say(texts.add.done)
    onClose()
    // The first card becomes the default with the payment provider's event, a moment later.
    setTimeout(() => void cards.reload(), 1500)
  }

  return (
    <Form form={{ action }} texts={texts.add} onSubmit={add} onClose={onClose}>
      <CardField mounted={field} />
    </Form>
  )
}
