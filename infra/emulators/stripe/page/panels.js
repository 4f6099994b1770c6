import { element, reconcile, setAttribute, setText, showParts } from './dom.js'
import { faultText, planText } from './faults.js'
import { count, date, money } from './format.js'

const find = (selector) => document.querySelector(selector)

function newViolation({ trace }) {
  const requests = (trace ?? []).map(({ method, path, idempotency_key: key }) => {
    return element('li', { text: `${method} ${path}${key ? `, key ${key}` : ''}` })
  })
  const summary = element('summary', { text: `The last ${count(requests.length, 'request')} before it` })
  const details = element('details', {}, summary, element('ol', {}, ...requests))
  return element('li', {}, element('p'), ...(requests.length > 0 ? [details] : []))
}

function showViolations({ violations }) {
  const alarm = find('.alarm')
  setText(find('#violations-title'), `${count(violations.length, 'money rule')} broken`)
  const parts = ({ at, rule, message }) => [
    { kind: 'strong', text: rule },
    { kind: 'text', text: message },
    { kind: 'time', text: date(at, 'second') },
  ]
  reconcile(find('#violations'), violations, newViolation, (node, row) => showParts(node.firstChild, parts(row)))
  alarm.hidden = violations.length === 0
  document.title = violations.length > 0 ? `(${violations.length} broken) Stripe emulator` : 'Stripe emulator'
}

function showVersions({ versions }) {
  reconcile(
    find('#versions'),
    versions,
    () => element('li'),
    (node, { message }) => setText(node, message),
  )
  find('.notice').hidden = versions.length === 0
}

function newStep({ id }) {
  const button = (text, outcome, style) =>
    element('button', { type: 'button', class: style, 'data-id': id, 'data-outcome': outcome, text })
  const buttons = element(
    'div',
    { class: 'buttons' },
    button('Confirm', 'succeed', 'primary'),
    button('Fail', 'fail', ''),
  )
  return element('li', {}, element('p'), buttons)
}

function showStep(node, intent, model) {
  const what = intent.object === 'payment_intent' ? `Payment of ${money(intent.amount, intent.currency)}` : 'Card setup'
  const title = `${what}, ${model.customerName(intent.customer)}`
  showParts(node.firstChild, [
    { kind: 'strong', text: title },
    { kind: 'id', text: intent.id },
  ])
  for (const button of node.lastChild.children) setAttribute(button, 'aria-label', `${button.textContent}: ${title}`)
}

function showSteps(model) {
  const section = find('.steps')
  reconcile(find('#steps'), model.steps, newStep, (node, row) => showStep(node, row, model))
  const done = model.steps.length === 0
  if (done && section.contains(document.activeElement)) find('#main').focus({ preventScroll: true })
  section.hidden = done
}

function showWebhooks({ mode, undelivered, endpoints }) {
  const held = mode === 'hold'
  for (const radio of document.querySelectorAll('#webhook-mode input')) radio.checked = radio.value === mode
  showBadge(find('#mode'), held ? `Webhooks held: ${undelivered.length}` : 'Webhooks on', held ? 'warn' : 'quiet')
  const waiting = undelivered.length === 1 ? '1 delivery is' : `${undelivered.length} deliveries are`
  setText(find('#waiting'), `${waiting} not accepted yet.`)
  reconcile(
    find('#endpoints'),
    endpoints,
    () => element('li'),
    (node, { url, status }) =>
      showParts(node, [
        { kind: 'mono', text: url },
        ...(status === 'enabled' ? [] : [{ kind: 'badge', text: status, tone: 'warn' }]),
      ]),
  )
}

function showFaults({ faults, plan }) {
  const texts = [...faults.map(faultText), ...(plan ? [planText(plan)] : [])]
  reconcile(find('#faults'), texts, () => element('li'), setText)
  find('#no-faults').hidden = texts.length > 0
}

/** Writes a badge of this tone. */
export function showBadge(node, text, tone) {
  setText(node, text)
  setAttribute(node, 'class', `badge ${tone}`)
}

/** Shows the clock. */
export function showNow({ now }) {
  setText(find('#now'), `${date(now, 'second')} UTC`)
  setAttribute(find('#now'), 'datetime', new Date(now * 1000).toISOString())
}

/** Shows the clock, broken rules, other versions, waiting 3-D Secure steps, webhooks and faults. */
export function showPanels(model) {
  showNow(model)
  showViolations(model)
  showVersions(model)
  showSteps(model)
  showWebhooks(model)
  showFaults(model)
}
