import { useId } from 'react'
import type { Card } from '../../app/types.ts'
import { useTexts } from '../../texts/useLocalization.ts'
import { CardField } from './CardField.tsx'
import { cardExpiry, cardName, isExpired } from './cardName.ts'
import type { CardChoice } from './useCardChoice.ts'

interface CardOptionsProps {
  readonly cards: readonly Card[]
  readonly choice: CardChoice
}

/** Saved cards to choose from, and a new card with the card field. */
export function CardOptions({ cards, choice }: CardOptionsProps) {
  const texts = useTexts()
  const group = useId()
  return (
    <fieldset className="options">
      <legend>{texts.cards.payWith}</legend>
      {cards.map((card) => (
        <label key={card.id} className="option">
          <input
            type="radio"
            name={group}
            checked={choice.selected === card.id}
            onChange={() => choice.select(card.id)}
          />
          <span className="option-text">
            <span>{cardName(card, texts)}</span>
            <span className="muted">
              {(isExpired(card, new Date()) ? texts.cards.expired : texts.cards.expires)(cardExpiry(card))}
              {card.is_default && ` · ${texts.cards.isDefault}`}
            </span>
          </span>
        </label>
      ))}
      {cards.length > 0 && (
        <label className="option">
          <input type="radio" name={group} checked={choice.selected === 'new'} onChange={() => choice.select('new')} />
          <span className="option-text">
            <span>{texts.cards.new}</span>
          </span>
        </label>
      )}
      {choice.selected === 'new' && <CardField mounted={choice.field} />}
    </fieldset>
  )
}
