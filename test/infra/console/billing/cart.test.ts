import { describe, expect, it } from '@jest/globals'
import type { CheckoutLine } from '../../../../infra/console/src/app/types.ts'
import { PaymentError } from '../../../../infra/console/src/billing/cards/paymentError.ts'
import {
  type Cart,
  type CartEvent,
  changeCart,
  codesToBuy,
  emptyCart,
} from '../../../../infra/console/src/billing/cart.ts'
import { refusalText } from '../../../../infra/console/src/billing/refusalText.ts'
import { english, german } from '../localization.ts'

const play = (events: readonly CartEvent[], from: Cart = emptyCart) => events.reduce(changeCart, from)
const added = (code: string): CartEvent => ({ type: 'added', code })

function bought(code: string, action: 'none' | 'confirm_payment', coupon: string | null = null): CheckoutLine {
  return {
    ok: true,
    product_code: code,
    product: 'ota',
    subscription: {
      product: 'ota',
      plan_code: code,
      status: action === 'none' ? 'active' : 'incomplete',
      current_period_end: null,
      cancel_at: null,
      coupon_code: coupon,
      price: null,
      next_charge: null,
    },
    client: { action, client_secret: action === 'none' ? null : 'pi_1_secret_2' },
  }
}
const refused = (code: string): CheckoutLine => ({
  ok: false,
  product_code: code,
  error: 'card_declined',
  detail: 'The bank declined the card',
})

describe('The cart', () => {
  it('keeps the order in which products were added, each once', () => {
    expect(codesToBuy(play([added('a'), added('b'), added('a')]))).toEqual(['b', 'a'])
    expect(codesToBuy(play([added('a'), added('b'), { type: 'removed', code: 'a' }]))).toEqual(['b'])
  })

  describe('Given the answer of a checkout', () => {
    const before = play([added('a'), added('b'), added('c'), { type: 'coupon', coupon: 'WELCOME25' }])
    const lines = [bought('a', 'none'), bought('b', 'confirm_payment'), refused('c')]
    const after = play([{ type: 'answered', lines }], before)

    it('shows at each line what became of it', () => {
      expect(after.lines).toEqual([
        { code: 'a', answer: { kind: 'bought' } },
        { code: 'b', answer: { kind: 'confirming' } },
        {
          code: 'c',
          answer: {
            kind: 'refused',
            error: 'card_declined',
            detail: 'The bank declined the card',
            isCouponUsed: false,
          },
        },
      ])
    })

    it('buys only the refused lines again, with the coupon that no line has used', () => {
      expect(codesToBuy(after)).toEqual(['c'])
      expect(after.coupon).toBe('WELCOME25')
      const used = play([{ type: 'answered', lines: [bought('a', 'none', 'WELCOME25'), refused('c')] }], before)
      expect(used.coupon).toBeUndefined()
    })

    it('says of a line that the coupon of another one is not for it, and that nothing is wrong', () => {
      const spent = { ...refused('c'), error: 'coupon_already_redeemed' } as const
      const toneIn = (lines: readonly CheckoutLine[]) => {
        const answer = play([{ type: 'answered', lines }], before).lines[2]?.answer
        return answer?.kind === 'refused' && refusalText(answer, english.texts).tone
      }
      expect(toneIn([bought('a', 'none', 'WELCOME25'), spent])).toBe('neutral')
      expect(toneIn([bought('a', 'none'), spent])).toBe('bad')
    })

    it('drops what was bought with the next change', () => {
      expect(play([added('d')], after).lines.map(({ code }) => code)).toEqual(['c', 'd'])
      expect(play([{ type: 'cleared' }], after).lines.map(({ code }) => code)).toEqual(['c'])
    })

    it('says at its line how the bank’s confirmation ended', () => {
      const answer = { kind: 'unconfirmed', error: new PaymentError('not_confirmed') } as const
      const { lines } = play([{ type: 'settled', code: 'b', answer }], after)
      expect(lines[1]).toEqual({ code: 'b', answer })
    })
  })
})

describe('A line that was not bought', () => {
  const line = { error: 'card_declined', detail: 'The card has insufficient funds', isCouponUsed: false } as const

  it('says why, in English as the bank does', () => {
    const text = 'The card has insufficient funds. Nothing was charged.'
    expect(refusalText(line, english.texts)).toEqual({ text, tone: 'bad' })
    expect(refusalText(line, german.texts).text).toMatch(/^Die Bank hat die Karte abgelehnt\./)
  })

  it('never says it in the words of the API', () => {
    const newer = { ...line }
    Object.assign(newer, { error: 'a_newer_error' })
    expect(refusalText(newer, german.texts).text).toBe('Das wurde nicht gekauft. Es wurde nichts berechnet.')
  })
})
