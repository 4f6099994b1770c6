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
 * Makes a card the customer's default if it has none. The gateway cannot write conditionally, so a default that a user has chosen since
 * the look is overwritten: then it is restored. If a delivery crashed before that, the next restores it.
 * @returns the default card after that
 */
export async function setFirstDefaultCard(
  cards: Cards,
  choices: Choices,
  card: string,
): Promise<GatewayAnswer<DefaultCard>> {
  const found = await cards.fetchDefaultCard(choices.customerId)
  const isNone = found.kind === 'ok' && found.value.id === null
  const now = isNone ? await cards.setDefaultCard(choices.customerId, card) : found
  return now.kind === 'ok' && now.value.id === card ? restoreChoice(cards, choices, now) : now
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
