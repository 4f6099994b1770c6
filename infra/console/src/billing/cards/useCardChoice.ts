import { type RefObject, useRef, useState } from 'react'
import { useServices } from '../../app/services.ts'
import type { Card } from '../../app/types.ts'
import { useOrganization } from '../../organizations/organizationData.ts'
import type { MountedCard } from './CardField.tsx'
import { PaymentError } from './paymentError.ts'
import { setUpCard } from './stripe.ts'

/** The card that a person pays with: saved or new. */
export interface CardChoice {
  /** The id of a saved card, or `new`. */
  readonly selected: string
  select(id: string): void
  /** The card field, while it is shown. */
  readonly field: RefObject<MountedCard | undefined>
  /**
   * The id of the chosen card. A new card is saved first, so that a retry sends the same request. Throws a PaymentError
   * if the bank refuses it.
   */
  cardId(): Promise<string>
}

/**
 * @param cards the saved cards. The default card is chosen at first, or a new card if there is none
 */
export function useCardChoice(cards: readonly Card[]): CardChoice {
  const { client } = useServices()
  const { organization, cards: resource } = useOrganization()
  const [picked, setPicked] = useState<string>()
  const field = useRef<MountedCard>(undefined)
  const known = picked === 'new' || cards.some(({ id }) => id === picked)
  const selected = (known ? picked : undefined) ?? (cards.find(({ is_default }) => is_default) ?? cards[0])?.id ?? 'new'

  async function cardId(): Promise<string> {
    if (selected !== 'new') return selected
    const mounted = field.current
    if (mounted === undefined) throw new PaymentError('form_loading')
    const { client_secret } = await client.createSetupIntent({ query: { organization_id: organization.id } })
    const id = await setUpCard(mounted.stripe, client_secret, mounted.element)
    setPicked(id)
    await resource.reload()
    return id
  }

  return { selected, select: setPicked, field, cardId }
}
