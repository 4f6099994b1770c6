import type { Card } from '../../app/types.ts'

/** What a card's removal does. `blocked`: it pays, and no other card has paid. `moves`: `to` is undefined if several could follow. */
export type CardRemoval =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'moves'; readonly to: Card | undefined }

/** The effect of a removal, as the service decides it: another card that has paid takes the card's place, the default before others. */
export function cardRemoval(card: Card, saved: readonly Card[]): CardRemoval {
  const others = saved.filter(({ id, has_paid }) => id !== card.id && has_paid)
  const pays = card.is_default || card.pays_for.length > 0
  const isAnySubscribed = saved.some(({ pays_for }) => pays_for.length > 0)
  if (!pays || (others.length === 0 && !isAnySubscribed)) return { kind: 'free' }
  if (others.length === 0) return { kind: 'blocked' }
  return {
    kind: 'moves',
    to: others.find(({ is_default }) => is_default) ?? (others.length === 1 ? others[0] : undefined),
  }
}
