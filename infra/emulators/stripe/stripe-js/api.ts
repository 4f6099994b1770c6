import type { PaymentIntent, SetupIntent, StripeError } from '@stripe/stripe-js'
import type { IntentSecret } from './intentSecret.ts'

/** An intent of either kind. */
export type Intent = SetupIntent | PaymentIntent

/** The API's answer: the object, or an error. */
export type Answer<T> = { readonly value: T; readonly error?: undefined } | { readonly error: StripeError }

/** Calls of the API with a publishable key. */
export interface Api {
  call<T>(method: 'GET' | 'POST', path: string, params?: object): Promise<Answer<T>>
  retrieve(intent: IntentSecret, params?: object): Promise<Answer<Intent>>
  confirm(intent: IntentSecret, params: object): Promise<Answer<Intent>>
}

/** Milliseconds before a call is repeated when another call held its customer. */
const repeatsAfter = [150, 400, 900]

/** Opens the API at `origin`. Its answers are Stripe's. If a call gets no answer, the error is an `api_connection_error`. */
export function openApi(origin: string, publishableKey: string): Api {
  async function send(method: string, path: string, form: string): Promise<Response> {
    const query = method === 'GET' && form !== '' ? `?${form}` : ''
    return fetch(`${origin}${path}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${publishableKey}`,
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'POST' && { body: form }),
    })
  }

  async function call<T>(method: 'GET' | 'POST', path: string, params: object = {}): Promise<Answer<T>> {
    const form = new URLSearchParams(formOf(params)).toString()
    try {
      let response = await send(method, path, form)
      for (const pause of repeatsAfter) {
        if (response.status !== 429) break
        await new Promise((resolve) => setTimeout(resolve, pause))
        response = await send(method, path, form)
      }
      const body = await response.json()
      return response.ok ? { value: body } : { error: errorOf(body.error) }
    } catch {
      return { error: { type: 'api_connection_error', message: noConnection } }
    }
  }

  const pathOf = ({ kind, id }: IntentSecret) => `/v1/${kind}/${encodeURIComponent(id)}`
  return {
    call,
    retrieve: (intent, params = {}) => call('GET', pathOf(intent), { ...params, client_secret: intent.clientSecret }),
    confirm: (intent, params) =>
      call('POST', `${pathOf(intent)}/confirm`, { ...params, client_secret: intent.clientSecret }),
  }
}

const noConnection =
  'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again.'

function errorOf(error: StripeError | undefined): StripeError {
  return error ?? { type: 'api_error', message: 'An unexpected error occurred.' }
}

/** Names and values of a form, nested as `a[b]`. A member is left out if it is undefined or null. */
function formOf(params: object, prefix = ''): [string, string][] {
  return Object.entries(params).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const full = prefix === '' ? name : `${prefix}[${name}]`
    if (value === undefined || value === null) return []
    return typeof value === 'object' ? formOf(value, full) : [[full, String(value)]]
  })
}
