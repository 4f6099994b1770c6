import type { PaymentMethod } from '@stripe/stripe-js'
import { type Intent, openApi } from './api.ts'
import { receivePort } from './framePort.ts'
import { readClientSecret } from './intentSecret.ts'
import type { ChallengeRequest, FromChallengeFrame, ToChallengeFrame } from './messages.ts'

// The bank's 3-D Secure page: it finishes the step with the client secret, as the buyer decides.

const port = await receivePort()

function part(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`no ${selector}`)
  return found
}

const buttons = [...document.querySelectorAll('button')]

function showIntent(intent: Intent): void {
  part('#amount-line').hidden = intent.object === 'setup_intent'
  if (intent.object === 'payment_intent') {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: intent.currency })
    const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
    part('#amount').textContent = format.format(intent.amount / 10 ** digits)
  }
  part('#card').textContent = cardOf(intent.payment_method)
}

function cardOf(method: string | PaymentMethod | null): string {
  const card = method !== null && typeof method === 'object' ? method.card : undefined
  const brand = card ? card.brand.charAt(0).toUpperCase() + card.brand.slice(1) : ''
  return card ? `${brand} •••• ${card.last4}` : '–'
}

async function open({ publishableKey, clientSecret, scheme }: ChallengeRequest): Promise<void> {
  document.documentElement.dataset.scheme = scheme
  const api = openApi(location.origin, publishableKey)
  const secret = readClientSecret(clientSecret, 'the 3-D Secure step')

  async function finish(outcome: 'succeed' | 'fail'): Promise<string> {
    for (const button of buttons) button.disabled = true
    const path = `/v1/${secret.kind}/${secret.id}/authenticate`
    const { error } = await api.call('POST', path, { outcome, client_secret: clientSecret })
    for (const button of buttons) button.disabled = error === undefined
    // Another page may have finished the step meanwhile: the script reads the intent in any case.
    return error === undefined || error.code?.endsWith('_unexpected_state') ? '' : (error.message ?? 'Try again.')
  }

  async function decide(outcome: 'succeed' | 'fail'): Promise<void> {
    const problem = await finish(outcome)
    if (problem === '') done()
    else part('.problem').textContent = problem
  }

  // When the page is closed, the step is over even if the API cannot be reached.
  const close = () => void finish('fail').finally(done)
  part('#complete').addEventListener('click', () => void decide('succeed'))
  part('#fail').addEventListener('click', () => void decide('fail'))
  part('#close').addEventListener('click', close)
  port.addEventListener('message', ({ data }: MessageEvent<ToChallengeFrame>) => data.type === 'close' && close())
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !buttons.some(({ disabled }) => disabled)) close()
  })
  const { value } = { value: undefined, ...(await api.retrieve(secret, { expand: ['payment_method'] })) }
  if (value !== undefined) showIntent(value)
  part('main').hidden = false
  part('#complete').focus()
}

function done(): void {
  port.postMessage({ type: 'done' } satisfies FromChallengeFrame)
}

port.addEventListener('message', ({ data }: MessageEvent<ToChallengeFrame>) => {
  if (data.type === 'open') void open(data)
})
port.start()
