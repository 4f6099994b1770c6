import type { Invoice } from '../../../../infra/console/src/app/types.ts'

/** An invoice of $49.00, paid in November 2026. */
export const paidInvoice: Invoice = {
  id: 'in_1',
  number: 'A-0001',
  status: 'paid',
  product: 'ota',
  amount_due: 4900,
  amount_paid: 4900,
  currency: 'usd',
  created_at: '2026-11-15T12:00:00Z',
  due_at: null,
  paid_at: '2026-11-15T12:00:00Z',
  hosted_invoice_url: null,
  invoice_pdf: null,
}
