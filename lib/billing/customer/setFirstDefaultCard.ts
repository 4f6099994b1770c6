import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { Cards, DefaultCard } from '../gateway/gatewayPorts.ts'
import { LEASE } from '../timing.ts'

/** How often to restore a choice if users keep choosing meanwhile. */
const ROUNDS = 4

/** Whose default card, and since when a choice of a user counts (Unix milliseconds), less the time that its request may take. */
interface Choices {
  customerId: string
  since: number
}

/**
 * The first card that paid is the default; before any payment it is the first card set up. A default that a user chose stays. The gateway
 * cannot write conditionally, so a default that a user has chosen since the look is overwritten: then it is restored. If a delivery crashed
 * before that, the next restores it. The cards that paid are read after a card that was set up is written: whichever of the two events
 * comes first, one of them sees both.
 * @param setUp becomes the default if the customer has none
 * @returns the default card after that
 */
export async function setFirstDefaultCard(
  cards: Cards,
  choices: Choices,
  setUp?: string,
): Promise<GatewayAnswer<DefaultCard>> {
  const { customerId } = choices
  const found = await cards.fetchDefaultCard(customerId)
  const isNone = found.kind === 'ok' && found.value.id === null
  const first =
    isNone && setUp !== undefined ? await cards.setDefaultCard(customerId, setUp, { kind: 'set_up' }) : found
  const now = await followPayment(cards, customerId, first)
  const isOurs = now.kind === 'ok' && now.value.id !== null && (now.value.id === setUp || now.value.because === 'paid')
  return isOurs ? restoreChoice(cards, choices, now) : now
}

/** Makes the first card that paid the default instead of a card that was only set up. */
async function followPayment(
  cards: Cards,
  customerId: string,
  found: GatewayAnswer<DefaultCard>,
): Promise<GatewayAnswer<DefaultCard>> {
  if (found.kind !== 'ok') return found
  const { id, because } = found.value
  if (id !== null && because !== 'set_up') return found
  const paid = await cards.listPaidCards(customerId)
  if (paid.kind !== 'ok') return paid
  const card = paid.value.find((each) => each === id) ?? paid.value[0]
  return card === undefined ? found : cards.setDefaultCard(customerId, card, { kind: 'paid' })
}

/**
 * Makes the card that a user chose last the default again if another writer has overwritten it.
 * @param found the default card as it was read or written last
 */
export async function restoreChoice(
  cards: Cards,
  { customerId, since }: Choices,
  found: GatewayAnswer<DefaultCard>,
): Promise<GatewayAnswer<DefaultCard>> {
  let now = found
  for (let round = 0; round < ROUNDS && now.kind === 'ok'; round += 1) {
    const { id, chosen } = now.value
    if (id === null || !chosen || chosen.id === id || chosen.at < since - LEASE) return now
    const restored = await cards.setDefaultCard(customerId, chosen.id)
    // The chosen card was removed since.
    if (restored.kind === 'refused' && restored.reason === 'payment_method_invalid') return now
    now = restored
  }
  return now
}
