import { describe, expect, it } from '@jest/globals'
import type { Card } from '../../../../infra/console/src/app/types.ts'
import { cardRemoval } from '../../../../infra/console/src/billing/cards/cardRemoval.ts'

const cardOf = (id: string, facts: Partial<Card> = {}): Card => ({
  ...{ id, brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2032 },
  ...{ is_default: false, has_paid: false, pays_for: [], ...facts },
})
const paying = cardOf('paying', { is_default: true, has_paid: true, pays_for: ['ota'] })
const other = cardOf('other', { has_paid: true, pays_for: ['monitoring'] })
const third = cardOf('third', { has_paid: true })

describe('The removal of a card in the console', () => {
  it.each<[string, Card, Card[], ReturnType<typeof cardRemoval>]>([
    ['changes nothing if the card pays for nothing', third, [paying, third], { kind: 'free' }],
    ['changes nothing if it never paid and pays for nothing', cardOf('new'), [paying, cardOf('new')], { kind: 'free' }],
    ['is free if nothing is subscribed', { ...paying, pays_for: [] }, [{ ...paying, pays_for: [] }], { kind: 'free' }],
    ['moves what it pays for to the default', other, [paying, other, third], { kind: 'moves', to: paying }],
    ['moves the default to the only other that has paid', paying, [paying, other], { kind: 'moves', to: other }],
    ['does not know which follows of several', paying, [paying, other, third], { kind: 'moves', to: undefined }],
    ['is refused if no other has paid', paying, [paying, cardOf('new')], { kind: 'blocked' }],
    [
      'is refused for a default that pays for nothing beside a card that does, if neither has paid',
      cardOf('default', { is_default: true }),
      [cardOf('default', { is_default: true }), cardOf('pays', { pays_for: ['ota'] })],
      { kind: 'blocked' },
    ],
  ])('%s', (_, card, saved, removal) => {
    expect(cardRemoval(card, saved)).toEqual(removal)
  })
})
