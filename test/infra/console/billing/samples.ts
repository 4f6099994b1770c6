import type { Subscription } from '../../../../infra/console/src/app/types.ts'
import type { OpenInvoice } from '../../../../infra/console/src/billing/invoices/openInvoices.ts'

/** A subscription that renews in four weeks. */
export const active: Subscription = {
  product: 'ota',
  plan_code: 'base_ota',
  status: 'active',
  current_period_end: '2026-12-22T12:00:00Z',
  cancel_at: null,
  ended_at: null,
  coupon_code: null,
  price: { amount: 4900, currency: 'usd', interval: 'month', interval_count: 1 },
  next_charge: { amount: 4900, at: '2026-12-22T12:00:00Z' },
  gateway: 'card',
  action: 'none',
  hosted_invoice_url: null,
}

/** An invoice that was sent and is not due yet. */
export const openInvoice: OpenInvoice = {
  id: 'in_1',
  number: 'A-0001',
  status: 'open',
  product: 'ota',
  amount_due: 4900,
  amount_paid: 0,
  currency: 'usd',
  created_at: '2026-11-22T12:00:00Z',
  due_at: '2026-12-22T12:00:00Z',
  paid_at: null,
  hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  invoice_pdf: null,
}
