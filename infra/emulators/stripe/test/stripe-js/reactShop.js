import { CardElement, Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js'
import { createElement as h, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

// The forms of https://docs.stripe.com/sdks/stripejs-react and https://docs.stripe.com/payments/finalize-payments-on-the-server, one for each
// flow. `serve` of the page is the server behind them.

const stripe = loadStripe('pk_test_local')
const redirect = 'if_required'
const confirmParams = { return_url: `${location.origin}/done` }
const deferred = { mode: 'payment', amount: 4900, currency: 'usd' }

/** A form that is shown before there is an intent: it is submitted first, and paid then. */
function afterSubmit(pay) {
  return {
    form: PaymentElement,
    options: () => deferred,
    async submit(stripe, elements) {
      const { error } = await elements.submit()
      return error ? { error } : pay(stripe, elements)
    },
  }
}

const flows = {
  setup: {
    form: PaymentElement,
    options: (clientSecret) => ({ clientSecret, appearance: { theme: 'stripe' } }),
    submit: (stripe, elements) => stripe.confirmSetup({ elements, confirmParams, redirect }),
  },
  payment: {
    form: PaymentElement,
    options: (clientSecret) => ({ clientSecret }),
    submit: (stripe, elements) => stripe.confirmPayment({ elements, confirmParams, redirect }),
  },
  deferred: afterSubmit(async (stripe, elements) => {
    const clientSecret = await window.serve('openPayment', '')
    return stripe.confirmPayment({ elements, clientSecret, confirmParams, redirect })
  }),
  card: {
    form: CardElement,
    options: () => ({}),
    submit: (stripe, elements, clientSecret) =>
      stripe.confirmCardPayment(clientSecret, {
        payment_method: { card: elements.getElement(CardElement), billing_details: { name: 'Ada' } },
      }),
  },
  token: afterSubmit(async (stripe, elements) => {
    const made = await stripe.createConfirmationToken({
      elements,
      params: { payment_method_data: { billing_details: { name: 'Ada' } }, ...confirmParams },
    })
    if (made.error) return made
    const { status, clientSecret } = await window.serve('payByToken', made.confirmationToken.id)
    return status === 'requires_action' ? stripe.handleNextAction({ clientSecret }) : { status }
  }),
}

function Form({ flow, clientSecret }) {
  const stripe = useStripe()
  const elements = useElements()
  const [ready, setReady] = useState(false)
  const [shown, setShown] = useState('')
  async function onSubmit(event) {
    event.preventDefault()
    if (!stripe || !elements) return
    const { error, ...result } = await flows[flow].submit(stripe, elements, clientSecret)
    setShown(error ? `error: ${error.code} ${error.decline_code ?? ''}` : JSON.stringify(result))
  }
  return h(
    'form',
    { onSubmit },
    h(flows[flow].form, { onReady: () => setReady(true) }),
    h('button', { type: 'submit', disabled: !ready }, 'Pay'),
    h('output', null, shown),
  )
}

/** Shows the form of a flow. */
window.start = (flow, clientSecret) => {
  const form = h(Form, { flow, clientSecret })
  const shop = h(Elements, { stripe, options: flows[flow].options(clientSecret) }, form)
  createRoot(document.querySelector('main')).render(h(StrictMode, null, shop))
}
