import type { Context } from '../state/context.ts'
import type { Tables } from '../state/state.ts'
import { resourceMissing } from '../wire/errors.ts'

/** What refusals call an object that does not exist. */
const nouns = {
  charges: 'charge',
  coupons: 'coupon',
  credit_notes: 'credit note',
  customers: 'customer',
  disputes: 'dispute',
  invoice_payments: 'invoice payment',
  invoiceitems: 'invoiceitem',
  invoices: 'invoice',
  payment_intents: 'payment_intent',
  payment_methods: 'PaymentMethod',
  prices: 'price',
  products: 'product',
  promotion_codes: 'promotion code',
  refunds: 'refund',
  setup_intents: 'setupintent',
  subscription_schedules: 'subscription_schedule',
  subscriptions: 'subscription',
  webhook_endpoints: 'webhook endpoint',
} as const

export type NamedKind = keyof typeof nouns

/** The object of an id. If it does not exist, throws a 400 `resource_missing` that names `param`; a 404 if the id is that of the path. */
export function requireRow<K extends NamedKind>(
  { store }: Pick<Context, 'store'>,
  kind: K,
  id: string,
  param = 'id',
  status?: 400 | 404,
): Tables[K] {
  const row = store.get(kind, id)
  if (row === undefined) throw resourceMissing(nouns[kind], id, param, status)
  return row
}
