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

/** The tables: what each lists, and its columns by their headings. */
const tables = {
  customers: {
    caption: 'Customers',
    columns: {
      Customer: (row) => [...(row.name ? [{ kind: 'strong', text: row.name }] : []), ...id(row.id)],
      Email: (row) => (row.deleted ? [{ kind: 'badge', text: 'deleted', tone: 'quiet' }] : text(row.email)),
      'Default card': card,
      Subscriptions: subscriptionCount,
      Created: (row) => time(row.created),
    },
  },
  invoices: {
    caption: 'Invoices',
    columns: {
      Invoice: (row) => [{ kind: 'strong', text: row.number ?? 'Draft' }, ...id(row.id)],
      Status: (row) => status(row.status),
      Due: (row) => amount(row.amount_due, row),
      Paid: (row) => amount(row.amount_paid, row),
      Customer: (row, model) => text(model.customerName(row.customer)),
      Reason: (row) => [{ kind: 'small', text: words(row.billing_reason) }],
      Created: (row) => time(row.created),
      Next: (row, model) => [...nextOf(row, model), ...payment(row)],
    },
  },
  requests: {
    caption: 'Requests to the API',
    columns: {
      Request: (row) => [
        { kind: 'badge', text: row.method, tone: 'quiet' },
        ...keyOf(row),
        { kind: 'mono', text: row.path },
        ...id(row.id),
      ],
      Status: requestStatus,
      'Idempotency key': (row) => [{ kind: 'mono', text: row.idempotency_key ?? '–' }],
      Time: (row) => [{ kind: 'time', text: date(row.at, 'second') }],
    },
  },
  events: {
    caption: 'Events and their deliveries',
    columns: {
      Event: (row) => [{ kind: 'strong', text: row.type }, ...id(row.id)],
      Deliveries: deliveries,
      About: (row) => id(row.data?.object?.id),
      Time: (row) => [{ kind: 'time', text: date(row.created, 'second') }],
    },
  },
}

/** Adds an empty section of each table to the page. */
export function addTables(main) {
  for (const [kind, { caption, columns }] of Object.entries(tables)) {
    const headings = Object.keys(columns).map((heading) => element('th', { scope: 'col', text: heading }))
    const table = element(
      'table',
      { role: 'table' },
      element('caption', { text: `${caption}, newest first` }),
      element('thead', {}, element('tr', {}, ...headings)),
      element('tbody'),
    )
    const title = element('h2', { tabindex: '-1', text: kind[0].toUpperCase() + kind.slice(1) })
    const more = element('button', { type: 'button', class: 'more', hidden: '', text: `Show more ${kind}` })
    const section = { class: 'card', id: kind, 'data-list': kind }
    main.append(element('section', section, title, element('p', { class: 'empty' }), table, more))
  }
}

function newRow(columns) {
  const cells = Object.keys(columns).map((label) =>
    element('td', { role: 'cell', 'data-label': label }, element('div')),
  )
  return element('tr', { role: 'row' }, ...cells)
}

/** Fills the body of the table of `kind`. The rows must have ids. */
export function showTable(kind, table, rows, model) {
  const { columns } = tables[kind]
  reconcile(
    table.tBodies[0],
    rows,
    () => newRow(columns),
    (line, row) => {
      for (const [index, cell] of Object.values(columns).entries())
        showParts(line.cells[index].firstChild, cell(row, model))
    },
  )
}
