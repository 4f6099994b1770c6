import type { AccountSettings } from '../state/context.ts'
import type { Kind, Violation } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { sum } from '../state/sum.ts'
import { isLive } from '../subscriptions/subscriptionStatus.ts'

type Finding = Pick<Violation, 'rule' | 'message'>

const finding = (rule: string, message: string): Finding => ({ rule, message })

function checkInvoice(store: Store, id: string): Finding[] {
  const invoice = store.get('invoices', id)
  if (invoice === undefined) return []
  const intents = store
    .all('invoice_payments')
    .filter((row) => row.invoice === id)
    .map((row) => row.payment.payment_intent ?? '')
  const charges = store
    .all('charges')
    .filter((row) => row.status === 'succeeded' && intents.includes(row.payment_intent ?? ''))
  const charged = sum(charges.map((row) => row.amount))
  const outside = invoice.amount_paid_off_stripe ?? 0
  const lines = sum(invoice.lines.data.map((line) => line.amount))
  const notes = store.all('credit_notes').filter((row) => row.invoice === id && row.status !== 'void')
  const before = sum(notes.map((row) => row.pre_payment_amount))
  const after = sum(notes.map((row) => row.post_payment_amount))
  const off = sum(invoice.lines.data.flatMap((line) => (line.discount_amounts ?? []).map(({ amount }) => amount)))
  const tax = sum(
    invoice.lines.data.flatMap(({ taxes }) =>
      (taxes ?? []).map((row) => (row.tax_behavior === 'exclusive' ? row.amount : 0)),
    ),
  )
  return [
    charges.length > 1 && finding('one_charge_per_invoice', `invoice ${id} was charged ${charges.length} times`),
    invoice.total !== lines - off + tax &&
      finding(
        'total_is_lines_minus_discounts',
        `invoice ${id}: ${invoice.total} is not ${lines} - ${off}${tax === 0 ? '' : ` + ${tax}`}`,
      ),
    (invoice.pre_payment_credit_notes_amount !== before || invoice.post_payment_credit_notes_amount !== after) &&
      finding('credit_notes_add_up', `invoice ${id}: credit notes of ${before} before and ${after} after payment`),
    after > invoice.amount_paid &&
      finding('credit_notes_within_payment', `invoice ${id}: ${invoice.amount_paid} paid, ${after} credited`),
    invoice.amount_paid !== charged + outside &&
      finding(
        'amount_paid_is_charged',
        `invoice ${id}: ${invoice.amount_paid} paid, ${charged} charged${outside === 0 ? '' : `, ${outside} outside`}`,
      ),
  ].filter((found) => found !== false)
}

function checkCharge(store: Store, id: string): Finding[] {
  const charge = store.get('charges', id)
  if (charge === undefined) return []
  const refunds = store.all('refunds').filter((row) => row.charge === id && row.status !== 'failed')
  const given = sum(refunds.map((row) => row.amount))
  return [
    charge.amount_refunded !== given &&
      finding('amount_refunded_is_refunds', `charge ${id}: ${charge.amount_refunded} refunded, refunds of ${given}`),
    given > charge.amount && finding('refunds_within_charge', `charge ${id} of ${charge.amount}: refunds of ${given}`),
  ].filter((found) => found !== false)
}

function checkSubscription(store: Store, settings: AccountSettings, id: string): Finding[] {
  const subscription = store.get('subscriptions', id)
  if (subscription === undefined || !isLive(subscription)) return []
  const orphan = store.get('customers', subscription.customer) === undefined
  const keys = settings.oneLivePer
  const named = keys.length > 0 && keys.every((key) => subscription.metadata[key] !== undefined)
  const twins = !named
    ? []
    : store
        .all('subscriptions')
        .filter((row) => isLive(row) && keys.every((key) => row.metadata[key] === subscription.metadata[key]))
  return [
    orphan && finding('live_subscription_has_customer', `${id} is live, its customer ${subscription.customer} is not`),
    twins.length > 1 &&
      finding(
        `one_live_per_${keys.join('_and_')}`,
        `live at once for ${keys.map((key) => subscription.metadata[key]).join(', ')}: ${twins.map((row) => row.id).join(', ')}`,
      ),
  ].filter((found) => found !== false)
}

/** Checks the money rules of the rows that a write touched. Returns those that are broken. */
export function checkBooks(store: Store, settings: AccountSettings, written: { kind: Kind; id: string }[]): Finding[] {
  const touched = (kind: Kind) => new Set(written.flatMap((row) => (row.kind === kind ? [row.id] : [])))
  const invoices = touched('invoices')
  for (const id of touched('charges')) {
    const intent = store.get('charges', id)?.payment_intent
    const invoice = intent == null ? undefined : store.get('payment_terms', intent)?.invoice
    if (invoice !== undefined) invoices.add(invoice)
  }
  const charges = touched('charges')
  for (const id of touched('refunds')) charges.add(store.get('refunds', id)?.charge ?? '')
  for (const id of touched('credit_notes')) invoices.add(store.get('credit_notes', id)?.invoice ?? '')
  const subscriptions = touched('subscriptions')
  const gone = touched('deleted_customers')
  if (gone.size > 0) for (const row of store.all('subscriptions')) if (gone.has(row.customer)) subscriptions.add(row.id)
  return [
    ...[...invoices].flatMap((id) => checkInvoice(store, id)),
    ...[...charges].flatMap((id) => checkCharge(store, id)),
    ...[...subscriptions].flatMap((id) => checkSubscription(store, settings, id)),
  ]
}
