import { describe, expect, it } from '@jest/globals'
import type { Card, Invitation, Role, Subscription } from '../../../../infra/console/src/app/types.ts'
import type { OpenInvoice } from '../../../../infra/console/src/billing/invoices/openInvoices.ts'
import { attentionOf } from '../../../../infra/console/src/overview/attention.ts'
import { comingCharge, runningCosts } from '../../../../infra/console/src/overview/runningCosts.ts'
import { active, openInvoice } from './samples.ts'

const now = new Date('2026-11-24T12:00:00Z')
const failed = { ...active, status: 'past_due', action: 'update_payment_method' } as const
const card: Card = {
  id: 'pm_1',
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2034,
  is_default: true,
  has_paid: true,
  pays_for: [],
}
const invitation: Invitation = {
  id: 'i-1',
  email: 'grace@acme.example',
  role: 'member',
  invited_by: 'u-1',
  expires_at: '2026-11-30T12:00:00Z',
}
const calm = {
  organization: { role: 'owner' as Role, deletion_at: null },
  subscriptions: [active],
  openInvoices: [] as OpenInvoice[],
  cards: [card],
  invitations: [] as Invitation[],
}
const kindsOf = (change: Partial<Parameters<typeof attentionOf>[0]>) =>
  attentionOf({ ...calm, ...change }, now).map(({ kind }) => kind)

describe('What needs attention', () => {
  it('is nothing while all is paid', () => {
    expect(kindsOf({})).toEqual([])
    expect(kindsOf({ subscriptions: [] })).toEqual([])
  })

  it.each<[Subscription, boolean]>([
    [failed, true],
    [{ ...active, status: 'incomplete', action: 'confirm_payment' }, true],
    [{ ...active, status: 'incomplete', action: 'update_payment_method' }, true],
    [{ ...active, status: 'pending', action: 'wait' }, false],
    [{ ...active, cancel_at: '2026-12-22T12:00:00Z' }, false],
    [{ ...active, status: 'canceled', ended_at: '2026-11-01T12:00:00Z' }, false],
    [{ ...active, gateway: 'invoice', action: 'pay_invoice' }, false],
  ])('%#: a payment of %j is missing: %s', (subscription, isMissing) => {
    expect(kindsOf({ subscriptions: [subscription] })).toEqual(isMissing ? ['payment'] : [])
  })

  it.each<[Partial<Card>, { isExpired: boolean } | undefined]>([
    [{ exp_month: 1, exp_year: 2027 }, undefined],
    [{ exp_month: 12, exp_year: 2026 }, { isExpired: false }],
    [{ exp_month: 11, exp_year: 2026 }, { isExpired: false }],
    [{ exp_month: 10, exp_year: 2026 }, { isExpired: true }],
    [{ exp_month: 12, exp_year: 2025 }, { isExpired: true }],
    [{ exp_month: 11, exp_year: 2026, is_default: false }, undefined],
  ])('a card with %j that pays is said to expire: %j', (dates, expected) => {
    const found = attentionOf({ ...calm, cards: [{ ...card, ...dates }] }, now)
    expect(found).toMatchObject(expected === undefined ? [] : [{ kind: 'card_expiry', ...expected }])
    expect(found).toHaveLength(expected === undefined ? 0 : 1)
  })

  it('leaves out a card that pays for nothing', () => {
    const cards = [{ ...card, exp_month: 11, exp_year: 2026 }]
    expect(kindsOf({ cards, subscriptions: [] })).toEqual([])
    expect(kindsOf({ cards, subscriptions: [{ ...active, cancel_at: '2026-12-22T12:00:00Z' }] })).toEqual([])
    expect(kindsOf({ cards, subscriptions: [{ ...active, gateway: 'invoice' }] })).toEqual([])
  })

  it('names each invitation that has expired, and counts the others', () => {
    const expired = { ...invitation, id: 'i-2', expires_at: '2026-11-24T12:00:00Z' }
    expect(attentionOf({ ...calm, invitations: [invitation, expired, { ...invitation, id: 'i-3' }] }, now)).toEqual([
      { kind: 'expired_invitation', invitation: expired },
      { kind: 'open_invitations', count: 2 },
    ])
  })

  it('begins with the deletion, then payments, then invoices', () => {
    const organization = { role: 'owner', deletion_at: '2026-12-24T12:00:00Z' } as const
    const all = { organization, subscriptions: [failed], openInvoices: [openInvoice], invitations: [invitation] }
    expect(kindsOf(all)).toEqual(['deletion', 'payment', 'invoice', 'open_invitations'])
  })

  it('is for each role what it can act on, and the deletion', () => {
    const of = (role: Role) => ({
      organization: { role, deletion_at: '2026-12-24T12:00:00Z' },
      subscriptions: [failed],
      openInvoices: [openInvoice],
      invitations: [invitation],
    })
    expect(kindsOf(of('billing_admin'))).toEqual(['deletion', 'payment', 'invoice'])
    expect(kindsOf(of('member'))).toEqual(['deletion'])
  })
})

describe('The running costs', () => {
  it('are summed by interval and currency, without what ends or is not paid', () => {
    const { price } = active
    const yearly = { amount: 9900, currency: 'usd', interval: 'year', interval_count: 1 } as const
    expect(
      runningCosts([
        active,
        { ...failed, product: 'monitoring', price: { ...yearly, amount: 1900, interval: 'month' } },
        { ...active, price: yearly },
        { ...active, price: null },
        { ...active, cancel_at: '2026-12-22T12:00:00Z' },
        { ...active, status: 'unpaid' },
        { ...active, status: 'canceled' },
      ]),
    ).toEqual([{ ...price, amount: 6800 }, yearly])
  })

  it('are nothing without a subscription', () => {
    expect([runningCosts([]), comingCharge([])]).toEqual([[], undefined])
  })
})

describe('The next charge', () => {
  const at = (time: string, amount = 4900) => ({ ...active, next_charge: { amount, at: time } })

  it('is the earliest, with all of its day', () => {
    const monitoring = { ...at('2026-12-10T12:30:00Z', 1900), product: 'monitoring' } as const
    const ended = { ...active, next_charge: null }
    expect(comingCharge([at('2026-12-22T12:00:00Z'), at('2026-12-10T12:00:00Z'), monitoring, ended])).toEqual({
      amount: 6800,
      currency: 'usd',
      at: '2026-12-10T12:00:00Z',
      products: ['ota', 'monitoring'],
    })
  })

  it('is never a sum of two currencies', () => {
    const inEuros = { ...active, price: { ...active.price, currency: 'eur' } } as Subscription
    expect(comingCharge([active, inEuros])).toMatchObject({ amount: 4900, currency: 'usd' })
  })
})
