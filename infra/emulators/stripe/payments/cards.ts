import { notCovered } from '../wire/notCovered.ts'
import { plain, type TestCard, testCards, uncoveredCards } from './testCards.ts'

/**
 * The test card behind a test id such as `pm_card_visa` or `tok_visa` (`pm_card_visa_chargeDeclined` is another name of
 * `pm_card_chargeDeclined`). Throws a 501 that names `param` if only Stripe has the card.
 */
export function testCardName(testId: string, param: string): string | undefined {
  const [, name = ''] = /^(?:pm_card|tok)_(\w+)$/.exec(testId) ?? []
  const uncovered = uncoveredCards.find(({ names }) => names.includes(name))
  if (uncovered !== undefined) throw notCovered('value', `the test card ${testId}, because ${uncovered.reason}`, param)
  const alias = name.replace(/^visa_(?=charge(Declined|CustomerFail))/, '')
  return Object.hasOwn(testCards, alias) ? alias : undefined
}

/** Behaviour of a card named by `testCardName`; an unknown name behaves like a plain Visa. */
export function testCard(name: string): TestCard & { last4: string } {
  const card = testCards[name] ?? plain
  return { last4: card.numbers[0].slice(-4), ...card }
}

/**
 * The name of the test card with this number, given as digits; undefined if Stripe has no such test card. Throws a 501 if only Stripe has
 * it.
 */
export function cardNameOf(number: string): string | undefined {
  const uncovered = uncoveredCards.find(({ numbers }) => numbers.includes(number))
  if (uncovered !== undefined)
    throw notCovered(
      'value',
      `the test card that ends in ${number.slice(-4)}, because ${uncovered.reason}`,
      'card[number]',
    )
  return Object.keys(testCards).find((name) => testCard(name).numbers.includes(number))
}
