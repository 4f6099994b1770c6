import { element, reconcile, setAttribute, setText, showParts } from './dom.js'
import { date, money, tone, words } from './format.js'
import { isOverdue } from './model.js'

const hour = 3600
const day = 24 * hour
const tickSteps = [
  hour,
  3 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
  30 * day,
  61 * day,
  91 * day,
  182 * day,
  365 * day,
]
const incompleteSeconds = 23 * hour

const itemsOf = (subscription) => subscription.items?.data ?? []
const periodEnd = (subscription) => Math.min(...itemsOf(subscription).map((item) => item.current_period_end))

/** Billed periods and the present one, oldest first, each with its invoice's status; a trial is a period of its own. */
function periodsOf(subscription, model) {
  const periods = new Map()
  const add = (start, end, status) => {
    if (end > start) periods.set(`${start} ${end}`, { start, end: Math.min(end, subscription.ended_at ?? end), status })
  }
  for (const item of itemsOf(subscription)) add(item.current_period_start, item.current_period_end, 'unbilled')
  for (const invoice of model.invoicesOf(subscription.id))
    for (const { period, parent } of invoice.lines?.data ?? [])
      if (!parent?.subscription_item_details?.proration)
        add(period.start, period.end, isOverdue(invoice, model.now) ? 'overdue' : invoice.status)
  if (subscription.trial_start !== null) add(subscription.trial_start, subscription.trial_end, 'trial')
  return [...periods.values()].filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)
}

function marksOf({ created, cancel_at, ended_at }) {
  return [
    { kind: 'created', at: created },
    ...(cancel_at !== null && ended_at === null ? [{ kind: 'cancels', at: cancel_at }] : []),
    ...(ended_at !== null ? [{ kind: 'ended', at: ended_at }] : []),
  ]
}

/** By when the oldest sent invoice of a subscription has to be paid. */
function dueStep(subscription, model) {
  const [owed] = model
    .invoicesOf(subscription.id)
    .filter(({ status, due_date: due }) => status === 'open' && due !== null)
  if (owed === undefined) return undefined
  return `${isOverdue(owed, model.now) ? 'Overdue since' : 'Due'} ${date(owed.due_date)}`
}

function nextStep(subscription, model) {
  const { status, created, cancel_at, ended_at, trial_end, pause_collection } = subscription
  const attempt = model.byId.get(subscription.latest_invoice)?.next_payment_attempt
  if (ended_at !== null) return `Ended ${date(ended_at)}`
  if (status === 'incomplete') return `Expires ${date(created + incompleteSeconds)} unless paid`
  if (cancel_at !== null) return `Cancels ${date(cancel_at)}`
  if (status === 'paused') return 'Paused'
  if (pause_collection) return 'Collection is paused'
  if (attempt) return `Next attempt ${date(attempt)}`
  const due = dueStep(subscription, model)
  if (due !== undefined) return due
  return status === 'trialing' ? `Trial ends ${date(trial_end)}` : `Renews ${date(periodEnd(subscription))}`
}

function describe({ subscription, periods, marks }, model) {
  const spans = periods.map(
    ({ start, end, status }) => `${date(start, 'day')} to ${date(end, 'day')}: ${words(status)}`,
  )
  return [...marks.map(({ kind, at }) => `${kind} ${date(at)}`), ...spans, nextStep(subscription, model)].join('; ')
}

function scaleOf(views, now) {
  const times = views.flatMap(({ periods, marks }) => [
    ...periods.flatMap((row) => [row.start, row.end]),
    ...marks.map((row) => row.at),
  ])
  const first = Math.min(now, ...times)
  const last = Math.max(now + hour, ...times)
  const margin = (last - first) * 0.03
  const [start, end] = [first - margin, last + margin]
  return { start, end, percent: (at) => `${(((at - start) / (end - start)) * 100).toFixed(2)}%` }
}

function ticksOf({ start, end }, width) {
  const most = Math.max(2, Math.floor(width / 110))
  const step = tickSteps.find((seconds) => (end - start) / seconds <= most) ?? 730 * day
  const first = Math.ceil(start / step) * step
  const ticks = Array.from({ length: Math.floor((end - first) / step) + 1 }, (_, index) => first + index * step)
  return ticks.map((at) => ({
    at,
    label: step < day ? date(at, 'minute') : date(at, step < 90 * day ? 'tick' : 'day'),
  }))
}

function place(node, from, to) {
  node.style.left = from
  if (to !== undefined) node.style.width = `${Number.parseFloat(to) - Number.parseFloat(from)}%`
}

function showTrack(track, view, { scale, ticks, now }) {
  const { percent } = scale
  const things = [
    ...ticks.map(({ at }) => ({ kind: 'tick', from: percent(at) })),
    ...view.periods.map(({ start, end, status }) => ({
      kind: `period ${status}`,
      from: percent(start),
      to: percent(end),
      title: `${date(start)} – ${date(end)}: ${words(status)}`,
    })),
    { kind: 'now', from: percent(now) },
    ...view.marks.map(({ kind, at }) => ({
      kind: `mark ${kind}`,
      from: percent(at),
      title: `${words(kind)} ${date(at)}`,
    })),
  ]
  const update = (node, { kind, from, to, title }) => {
    setAttribute(node, 'class', kind)
    if (title) setAttribute(node, 'title', title)
    place(node, from, to)
    if (to === undefined) node.style.width = ''
  }
  reconcile(track, things, () => element('span'), update)
}

function productsOf(subscription, model) {
  const names = itemsOf(subscription).map(
    ({ price }) => model.byId.get(price?.product)?.name ?? price?.lookup_key ?? price?.id,
  )
  return names.join(' + ') || 'No items'
}

function priceOf(subscription) {
  const cents = itemsOf(subscription).reduce(
    (sum, { price, quantity }) => sum + (price?.unit_amount ?? 0) * (quantity ?? 1),
    0,
  )
  return `${money(cents, subscription.currency)} / ${itemsOf(subscription)[0]?.price?.recurring?.interval ?? '–'}`
}

function newRow() {
  const head = element('div', { class: 'head' }, element('div'), element('div'))
  const track = element('div', { class: 'track', role: 'img' })
  return element('li', {}, head, element('div', { class: 'line' }, track, element('p', { class: 'hint' })))
}

function showRow(row, view, frame, model) {
  const { subscription } = view
  const [head, line] = row.children
  showParts(head.children[0], [
    { kind: 'strong', text: productsOf(subscription, model) },
    { kind: 'badge', text: words(subscription.status), tone: tone(subscription.status) },
  ])
  showParts(head.children[1], [
    { kind: 'small', text: `${model.customerName(subscription.customer)} · ${priceOf(subscription)}` },
    { kind: 'id', text: subscription.id },
  ])
  setAttribute(line.firstChild, 'aria-label', describe(view, model))
  showTrack(line.firstChild, view, frame)
  setText(line.lastChild, nextStep(subscription, model))
}

/** Draws subscriptions on one common time axis, with a line at the emulator's present. */
export function showTimeline(container, subscriptions, model) {
  const [axis, list] = container.children
  const views = subscriptions.map((subscription) => {
    return { subscription, periods: periodsOf(subscription, model), marks: marksOf(subscription) }
  })
  const scale = scaleOf(views, model.now)
  const frame = { scale, now: model.now, ticks: ticksOf(scale, axis.clientWidth) }
  const labels = [
    ...frame.ticks.map((tick) => ({ ...tick, kind: 'tick' })),
    { at: model.now, label: 'now', kind: 'now' },
  ]
  const crowded = (at) => (Math.abs(at - model.now) / (scale.end - scale.start)) * axis.clientWidth < 70
  reconcile(
    axis,
    labels,
    () => element('span'),
    (node, { at, label, kind }) => {
      setAttribute(node, 'class', kind)
      setText(node, crowded(at) && kind === 'tick' ? '' : label)
      place(node, scale.percent(at))
    },
  )
  reconcile(
    list,
    views,
    newRow,
    (row, view) => showRow(row, view, frame, model),
    ({ subscription }) => subscription.id,
  )
}
