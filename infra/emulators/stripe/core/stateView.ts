import type { Ledger } from './ledger.ts'

/** The clock and every object by kind: the body of `GET /_emulator/state`. Internal tables are left out. */
export function stateView(ledger: Pick<Ledger, 'store' | 'now' | 'webhookMode' | 'violations'>) {
  const { all } = ledger.store()
  return {
    now: ledger.now(),
    webhook_mode: ledger.webhookMode(),
    violations: ledger.violations(),
    customers: all('customers'),
    tax_ids: all('tax_ids'),
    deleted_customers: all('deleted_customers'),
    payment_methods: all('payment_methods'),
    setup_intents: all('setup_intents'),
    products: all('products'),
    prices: all('prices'),
    coupons: all('coupons'),
    promotion_codes: all('promotion_codes'),
    discounts: all('discounts'),
    subscriptions: all('subscriptions'),
    subscription_schedules: all('subscription_schedules'),
    invoices: all('invoices'),
    invoice_payments: all('invoice_payments'),
    payment_intents: all('payment_intents'),
    charges: all('charges'),
    refunds: all('refunds'),
    disputes: all('disputes'),
    credit_notes: all('credit_notes'),
    events: all('events'),
    webhook_endpoints: all('webhook_endpoints'),
    deliveries: all('deliveries'),
  }
}

export type StateView = ReturnType<typeof stateView>
