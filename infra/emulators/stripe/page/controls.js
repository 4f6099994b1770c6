import { count, date } from './format.js'

const find = (selector) => document.querySelector(selector)
let fading

/** Shows a message, and announces it to screen readers. */
function announce(message, failed = false) {
  const status = find('#status')
  status.textContent = message
  status.classList.toggle('failed', failed)
  status.classList.add('shown')
  clearTimeout(fading)
  fading = setTimeout(() => status.classList.remove('shown'), 6000)
}

async function send(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error?.message ?? `The emulator answered ${response.status}.`)
  return answer
}

async function advance(amount, unit) {
  const moved = await send('POST', 'clock', { advance: `${amount} ${unit}` })
  return `It is now ${date(moved.now)} UTC.`
}

async function flush(form) {
  const { delivered } = await send('POST', 'webhooks/flush', {
    order: form.get('order'),
    copies: Number(form.get('copies')),
  })
  const failed = delivered.filter(({ status }) => status === null || status < 200 || status > 299).length
  return `${count(delivered.length, 'webhook')} sent${failed > 0 ? `, ${failed} not accepted` : ''}.`
}

async function plant(form) {
  const kind = form.get('kind')
  await send('POST', 'faults', {
    method: form.get('method'),
    path: form.get('path'),
    times: Number(form.get('times')),
    kind,
    ...(kind === 'status' && {
      status: Number(form.get('status')),
      saved: form.has('saved'),
      effect: form.has('effect'),
    }),
    ...(kind === 'delay' && { delay_ms: Number(form.get('delay_ms')) }),
  })
  return 'The fault is planted.'
}

async function setMode(mode) {
  await send('POST', 'webhooks', { mode })
  return mode === 'hold' ? 'New events are held.' : 'Events are delivered.'
}

async function authenticate({ id, outcome }) {
  await send('POST', 'authenticate', { id, outcome })
  return outcome === 'succeed' ? '3-D Secure is confirmed.' : '3-D Secure has failed.'
}

async function markPaid(invoice) {
  const params = { paid_out_of_band: true }
  const { number } = await send('POST', 'dashboard', { method: 'POST', path: `/v1/invoices/${invoice}/pay`, params })
  return `Invoice ${number} is marked as paid.`
}

async function clearFaults() {
  await send('DELETE', 'faults')
  return 'No fault is planted any more.'
}

async function reset() {
  await send('POST', 'reset')
  return 'The emulator was reset.'
}

/** The inputs of other kinds of fault are neither shown nor checked. */
function showFaultInputs() {
  for (const fields of document.querySelectorAll('[data-kind]')) {
    const wanted = fields.dataset.kind === find('#fault-form').elements.kind.value
    fields.hidden = !wanted
    fields.disabled = !wanted
  }
}

/** Connects every control; calls `refresh` when a control has done its work. */
export function connectControls(refresh) {
  const run = async (action) => {
    try {
      announce(await action)
    } catch (error) {
      announce(error.message, true)
    }
    // A refused action may have changed something: broken books answer 500.
    await refresh().catch((error) => announce(error.message, true))
  }
  const onSubmit = (selector, action) =>
    find(selector).addEventListener('submit', (event) => {
      event.preventDefault()
      run(action(new FormData(event.target)))
    })
  onSubmit('#clock-form', (form) => advance(Number(form.get('amount')), form.get('unit')))
  onSubmit('#flush-form', flush)
  onSubmit('#fault-form', plant)
  find('.bar').addEventListener('click', ({ target }) => {
    if (target.dataset.advance) run(advance(1, target.dataset.advance))
  })
  find('#steps').addEventListener('click', ({ target }) => {
    if (target.dataset.outcome) run(authenticate(target.dataset))
  })
  find('#invoices').addEventListener('click', ({ target }) => {
    if (target.dataset.target) run(markPaid(target.dataset.target))
  })
  find('#webhook-mode').addEventListener('change', ({ target }) => run(setMode(target.value)))
  find('#fault-form').elements.kind.addEventListener('change', showFaultInputs)
  find('#clear-faults').addEventListener('click', () => run(clearFaults()))
  find('#reset').addEventListener('click', () => {
    find('#confirm-reset').returnValue = 'cancel'
    find('#confirm-reset').showModal()
  })
  find('#confirm-reset').addEventListener('close', ({ target }) => {
    if (target.returnValue === 'reset') run(reset())
  })
  // A browser may have restored a choice from before a reload.
  showFaultInputs()
}
