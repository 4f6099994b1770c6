import { element, reconcile, showParts } from './dom.js'
import { date, money, tone, words } from './format.js'
import { isLive, isOverdue, paidByTransfer } from './model.js'

const text = (value) => [{ kind: 'text', text: value || '–' }]
const time = (seconds) => [{ kind: 'time', text: date(seconds) }]
const status = (value) => [{ kind: 'badge', text: words(value), tone: tone(value) }]
const amount = (cents, { currency }) => [{ kind: 'money', text: money(cents, currency) }]
const id = (value) => (value ? [{ kind: 'id', text: value }] : text(''))

function card(customer, model) {
  const method = model.byId.get(customer.invoice_settings?.default_payment_method)
  return text(method?.card ? `${method.card.brand} •••• ${method.card.last4}` : '')
}

function subscriptionCount(customer, model) {
  const all = model.subscriptionsOf(customer.id)
  return text(all.length === 0 ? '' : `${all.filter(isLive).length} live of ${all.length}`)
}

/** A call with a publishable key came from a browser, by Stripe.js. */
const keyOf = ({ key_type: key }) => (key === 'publishable' ? [{ kind: 'badge', text: 'Stripe.js', tone: 'info' }] : [])

function requestStatus({ status: code, replayed }) {
  const badge =
    code === null
      ? { kind: 'badge', text: 'no answer', tone: 'bad' }
      : { kind: 'badge', text: String(code), tone: code < 300 ? 'good' : code < 500 ? 'warn' : 'bad' }
  return replayed ? [badge, { kind: 'badge', text: 'replayed', tone: 'info' }] : [badge]
}

function deliveryParts(delivery, model) {
  const { attempts, done, last_status: last, next_attempt: next } = delivery
  const succeeded = last !== null && last >= 200 && last < 300
  const answer = last === null ? 'no answer' : String(last)
  const tries = attempts > 1 ? `${attempts} attempts` : ''
  if (attempts === 0) return [{ kind: 'badge', text: model.mode === 'hold' ? 'held' : 'waiting', tone: 'info' }]
  const badge = { kind: 'badge', text: answer, tone: succeeded ? 'good' : 'bad' }
  const then = succeeded ? '' : done ? 'given up' : `next ${date(next)}`
  const small = [tries, then].filter((part) => part !== '').join(', ')
  return small === '' ? [badge] : [badge, { kind: 'small', text: small }]
}

function deliveries(event, model) {
  const rows = model.deliveriesOf(event.id)
  return rows.length === 0 ? [{ kind: 'small', text: 'no endpoint' }] : rows.flatMap((row) => deliveryParts(row, model))
}

/** When an open invoice is charged next, or by when its customer has to pay it. */
function nextOf(invoice, model) {
  const { status, due_date: due, next_payment_attempt: attempt } = invoice
  if (attempt !== null) return [{ kind: 'small', text: 'attempt' }, ...time(attempt)]
  if (due === null || !['draft', 'open'].includes(status)) return time(null)
  if (isOverdue(invoice, model.now)) return [{ kind: 'badge', text: 'overdue', tone: 'bad' }, ...time(due)]
  return [{ kind: 'small', text: 'due' }, ...time(due)]
}

/** The button for money that came by bank transfer. */
function payment(invoice) {
  if (!paidByTransfer(invoice)) return []
  return [{ kind: 'action', text: 'Mark as paid', label: `Mark as paid: ${invoice.number}`, target: invoice.id }]
}

/** Cells by table, in the order of the columns in page.html. */
const cells = {
  customers: (row, model) => [
    [...(row.name ? [{ kind: 'strong', text: row.name }] : []), ...id(row.id)],
    row.deleted ? [{ kind: 'badge', text: 'deleted', tone: 'quiet' }] : text(row.email),
    card(row, model),
    subscriptionCount(row, model),
    time(row.created),
  ],
  invoices: (row, model) => [
    [{ kind: 'strong', text: row.number ?? 'Draft' }, ...id(row.id)],
    status(row.status),
    amount(row.amount_due, row),
    amount(row.amount_paid, row),
    text(model.customerName(row.customer)),
    [{ kind: 'small', text: words(row.billing_reason) }],
    time(row.created),
    [...nextOf(row, model), ...payment(row)],
  ],
  requests: (row) => [
    [
      { kind: 'badge', text: row.method, tone: 'quiet' },
      ...keyOf(row),
      { kind: 'mono', text: row.path },
      ...id(row.id),
    ],
    requestStatus(row),
    [{ kind: 'mono', text: row.idempotency_key ?? '–' }],
    [{ kind: 'time', text: date(row.at, 'second') }],
  ],
  events: (row, model) => [
    [{ kind: 'strong', text: row.type }, ...id(row.id)],
    deliveries(row, model),
    id(row.data?.object?.id),
    [{ kind: 'time', text: date(row.created, 'second') }],
  ],
}

function newRow(labels) {
  const columns = labels.map((label) => element('td', { role: 'cell', 'data-label': label }, element('div')))
  return element('tr', { role: 'row' }, ...columns)
}

/** Fills the body of the table of `kind`. The rows must have ids. */
export function showTable(kind, table, rows, model) {
  const labels = [...table.tHead.rows[0].cells].map((cell) => cell.textContent)
  reconcile(
    table.tBodies[0],
    rows,
    (row) => row.id,
    () => newRow(labels),
    (line, row) => {
      for (const [index, parts] of cells[kind](row, model).entries()) showParts(line.cells[index].firstChild, parts)
    },
  )
}
