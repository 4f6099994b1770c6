import { describe, expect, it } from '@jest/globals'
import { organizationPages, pathOf, routeOf, routeOfQuery } from '../../../../infra/console/src/app/route.ts'
import { actionsOf, describeSubscription } from '../../../../infra/console/src/billing/describeSubscription.ts'
import { priceText } from '../../../../infra/console/src/billing/products/priceText.ts'
import { maySee } from '../../../../infra/console/src/organizations/permissions.ts'
import { english, german } from '../localization.ts'
import { active } from './samples.ts'

const today = new Date('2026-11-24T12:00:00Z')
const canceled = { ...active, cancel_at: '2026-12-22T12:00:00Z' } as const
const overdue = { ...active, status: 'past_due', action: 'update_payment_method' } as const
const invoiced = { ...active, gateway: 'invoice', action: 'pay_invoice' } as const
const confirming = { ...active, status: 'incomplete', action: 'confirm_payment' } as const
const refused = { ...active, status: 'incomplete', action: 'update_payment_method' } as const
const unpriced = { ...active, price: null, next_charge: null } as const
const retried = { ...overdue, next_charge: { amount: 2450, at: '2026-12-25T12:00:00Z' } } as const
const pending = { ...active, status: 'pending', current_period_end: null, action: 'wait' } as const
const ended = { ...active, status: 'canceled', ended_at: '2026-11-01T12:00:00Z' } as const

describe('A subscription', () => {
  it('has ended once its scheduled end has come, even if the record does not say so yet, and cannot be resumed', () => {
    const [before, after] = [new Date('2026-12-22T11:59:59Z'), new Date('2026-12-22T12:00:00Z')]
    expect(describeSubscription(canceled, english, before).badge).toBe('Ends soon')
    expect(actionsOf(canceled, 'owner', before)).toEqual(['resume'])
    expect(describeSubscription(canceled, english, after)).toMatchObject({
      badge: 'Ended',
      line: 'Ended on Dec 22, 2026',
    })
    expect(actionsOf(canceled, 'owner', after)).toEqual([])
  })

  it.each([
    [active, 'Active', 'Renews on Dec 22, 2026 for $49.00'],
    [unpriced, 'Active', 'Renews on Dec 22, 2026'],
    [{ ...active, status: 'trialing' } as const, 'Trial', 'Trial until Dec 22, 2026, then $49.00'],
    [{ ...unpriced, status: 'trialing' } as const, 'Trial', 'Trial until Dec 22, 2026'],
    [canceled, 'Ends soon', 'Canceled. Works until Dec 22, 2026'],
    [overdue, 'Payment overdue', 'The last payment failed. Pay it to keep the product.'],
    [{ ...overdue, action: 'none' } as const, 'Active', 'Renews on Dec 22, 2026 for $49.00'],
    [{ ...overdue, gateway: 'invoice', action: 'none' } as const, 'Invoice overdue', expect.any(String)],
    [invoiced, 'Active', 'Next invoice: $49.00 on Dec 22, 2026. An invoice is open.'],
    [{ ...invoiced, action: 'none' } as const, 'Active', 'Next invoice: $49.00 on Dec 22, 2026'],
    [{ ...invoiced, ...unpriced } as const, 'Active', 'Renews on Dec 22, 2026'],
    [{ ...invoiced, next_charge: null }, 'Active', 'Renews on Dec 22, 2026. An invoice is open.'],
    [
      { ...invoiced, cancel_at: '2026-12-22T12:00:00Z' },
      'Ends soon',
      'Canceled. Works until Dec 22, 2026. An invoice is open.',
    ],
    [
      { ...invoiced, status: 'past_due' } as const,
      'Invoice overdue',
      'An invoice is overdue. The product still works: pay the invoice to keep it.',
    ],
    [
      { ...invoiced, status: 'unpaid' } as const,
      'Invoice overdue',
      'An invoice was not paid in time. The product works again once it is paid.',
    ],
    [confirming, 'Confirmation needed', 'Your bank asks you to confirm the payment.'],
    [
      { ...confirming, status: 'past_due' } as const,
      'Confirmation needed',
      'Your bank asks you to confirm the payment.',
    ],
    [refused, 'Payment failed', 'The payment did not go through. The subscription starts when you pay.'],
    [pending, 'Processing', 'The payment is being processed.'],
    [ended, 'Ended', 'Ended on Nov 1, 2026'],
  ])('of %j is %s', (subscription, badge, line) => {
    expect(describeSubscription(subscription, english, today)).toMatchObject({ badge, line })
  })

  it.each([
    [active, 'Aktiv', 'Verlängert sich am 22.12.2026 für 49,00\u00a0$'],
    [unpriced, 'Aktiv', 'Verlängert sich am 22.12.2026'],
    [{ ...active, status: 'trialing' } as const, 'Testphase', 'Testphase bis 22.12.2026, danach 49,00\u00a0$'],
    [canceled, 'Endet bald', 'Gekündigt. Funktioniert bis 22.12.2026'],
    [invoiced, 'Aktiv', 'Nächste Rechnung: 49,00\u00a0$ am 22.12.2026. Eine Rechnung ist offen.'],
    [ended, 'Beendet', 'Beendet am 01.11.2026'],
  ])('of %j is, in German, %s', (subscription, badge, line) => {
    expect(describeSubscription(subscription, german, today)).toMatchObject({ badge, line })
  })

  it.each([
    [retried, 'Next attempt: $24.50 on Dec 25, 2026', 'Nächster Versuch: 24,50\u00a0$ am 25.12.2026'],
    [
      { ...retried, action: 'confirm_payment' } as const,
      'Next attempt: $24.50 on Dec 25, 2026',
      'Nächster Versuch: 24,50\u00a0$ am 25.12.2026',
    ],
    [
      { ...invoiced, status: 'past_due' } as const,
      'Next invoice: $49.00 on Dec 22, 2026',
      'Nächste Rechnung: 49,00\u00a0$ am 22.12.2026',
    ],
    [{ ...overdue, next_charge: null }, null, null],
    [active, undefined, undefined],
  ])('of %j is charged next: %s', (subscription, inEnglish, inGerman) => {
    expect(describeSubscription(subscription, english, today).next).toBe(inEnglish)
    expect(describeSubscription(subscription, german, today).next).toBe(inGerman)
  })

  it('has the price at which it was sold, however often that is charged', () => {
    const quarterly = { amount: 9900, currency: 'eur', interval: 'month', interval_count: 3 } as const
    expect(priceText(quarterly, english)).toBe('€99.00 / 3 months')
    expect(priceText({ ...quarterly, interval: 'week', interval_count: 1 }, german)).toBe('99,00\u00a0€ / Woche')
  })

  it.each([
    [active, ['cancel']],
    [canceled, ['resume']],
    [overdue, ['pay', 'cancel']],
    [invoiced, ['pay invoice', 'cancel']],
    [{ ...invoiced, status: 'past_due', action: 'none' } as const, ['cancel']],
    [confirming, ['confirm', 'cancel']],
    [refused, ['pay', 'cancel']],
    [pending, []],
    [ended, []],
  ])('of %j has the buttons %j for owners and billing admins, and none for members', (subscription, actions) => {
    expect(actionsOf(subscription, 'owner', today)).toEqual(actions)
    expect(actionsOf(subscription, 'billing_admin', today)).toEqual(actions)
    expect(actionsOf(subscription, 'member', today)).toEqual([])
  })
})

describe('The pages of an organization', () => {
  it('are those that the role may read', () => {
    const pagesOf = (role: Parameters<typeof maySee>[0]) => organizationPages.filter((page) => maySee(role, page))
    expect(pagesOf('owner')).toEqual([...organizationPages])
    expect(pagesOf('billing_admin')).toEqual(
      organizationPages.filter((page) => !['activity', 'sign-in-rules', 'domains', 'sso', 'webhooks'].includes(page)),
    )
    expect(pagesOf('member')).toEqual(['overview', 'products', 'members', 'settings'])
  })

  it('have addresses that lead back to them', () => {
    for (const page of organizationPages) {
      const route = { page, organizationId: 'o-1' }
      expect(routeOf(pathOf(route))).toEqual(route)
    }
    expect(routeOfQuery('?organization_id=o-1')).toEqual({ page: 'overview', organizationId: 'o-1' })
    expect(routeOfQuery('?organization_id=o-1&page=cards')).toEqual({ page: 'cards', organizationId: 'o-1' })
    expect(routeOfQuery('?organization_id=o-1&page=else')).toEqual({ page: 'overview', organizationId: 'o-1' })
    expect(routeOfQuery('?code=1&state=2')).toBeUndefined()
    expect(pathOf({ page: 'overview', organizationId: 'o-1' })).toBe('organizations/o-1')
    expect(routeOf('organizations/new')).toEqual({ page: 'new-organization' })
    expect(routeOf('callback')).toEqual({ page: 'callback' })
    expect(routeOf('organizations/o-1/nothing')).toEqual({ page: 'unknown' })
    expect(routeOf('organizations/o-1/cards/more')).toEqual({ page: 'unknown' })
  })
})
