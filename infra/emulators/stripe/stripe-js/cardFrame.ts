import type { PaymentMethod } from '@stripe/stripe-js'
import { type Api, openApi } from './api.ts'
import { connectFields } from './cardFields.ts'
import { expiryOf } from './cardRules.ts'
import { receivePort } from './framePort.ts'
import type { CardAnswer, CardSettings, FromCardFrame, PaymentMethodDetails, ToCardFrame } from './messages.ts'

// The page in the frame: the card's data goes from here to the API, and never to the page around it.

const port = await receivePort()
const say = (message: FromCardFrame) => port.postMessage(message)
const form = document.querySelector('form') ?? document.createElement('form')
let layout: CardSettings['layout'] = 'card'
let api: Api | undefined
let lastChange = ''

const fields = connectFields({ changed: reportChange, advances: () => layout === 'card' })

function reportChange(): void {
  const state = fields.state()
  const text = JSON.stringify(state)
  if (text === lastChange) return
  const isFirst = lastChange === ''
  lastChange = text
  if (!isFirst) say({ type: 'change', state })
}

function configure(publishableKey: string, settings: CardSettings): void {
  layout = settings.layout
  api = openApi(location.origin, publishableKey)
  const root = document.documentElement
  root.dataset.scheme = settings.scheme
  root.removeAttribute('style')
  for (const [name, value] of Object.entries(settings.look)) root.style.setProperty(name, value)
  form.dataset.layout = layout
  form.dataset.postal = settings.hidePostalCode ? 'no' : 'yes'
  form.hidden = false
  fields.hidePostalCode(settings.hidePostalCode)
  fields.setDisabled(settings.disabled)
  if (settings.postalCode !== '') fields.setPostalCode(settings.postalCode)
}

async function createPaymentMethod({ billing_details, ...details }: PaymentMethodDetails): Promise<CardAnswer> {
  const error = fields.validate()
  if (error !== undefined) return { error }
  const { number, expiry, cvc, postalCode } = fields.values()
  const { month, year } = expiryOf(expiry)
  const address = { ...(postalCode !== '' && { postal_code: postalCode }), ...billing_details?.address }
  const created = await api?.call<PaymentMethod>('POST', '/v1/payment_methods', {
    type: 'card',
    card: { number, exp_month: month, exp_year: year, cvc },
    billing_details: { ...billing_details, address },
    ...details,
  })
  if (created === undefined) return { error: { type: 'api_error', message: 'The card field is not ready.' } }
  return created.error === undefined ? { paymentMethod: created.value } : { error: created.error }
}

function validated(): CardAnswer {
  const error = fields.validate()
  return error === undefined ? { valid: true } : { error }
}

async function obey(message: ToCardFrame): Promise<void> {
  switch (message.type) {
    case 'configure': {
      const isFirst = api === undefined
      configure(message.publishableKey, message.settings)
      if (isFirst) say({ type: 'ready' })
      return
    }
    case 'clear':
      return fields.clear()
    case 'focus':
      return fields.focus()
    case 'blur':
      fields.blur()
      return
    case 'validate':
      return say({ type: 'answer', id: message.id, answer: validated() })
    case 'create':
      return say({ type: 'answer', id: message.id, answer: await createPaymentMethod(message.details) })
  }
}

port.addEventListener('message', (event: MessageEvent<ToCardFrame>) => void obey(event.data))
port.start()
let focused = false
addEventListener('focusin', () => {
  if (!focused) say({ type: 'focus' })
  focused = true
})
addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget !== null) return
  focused = false
  say({ type: 'blur' })
})
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') say({ type: 'escape' })
  if (key === 'Enter') say({ type: 'submit' })
})
new ResizeObserver(() => say({ type: 'height', height: Math.ceil(form.getBoundingClientRect().height) })).observe(form)
