import Stripe from 'stripe'
import type { StripeCore } from 'stripe-emulator'

/** The Stripe SDK on the emulator in this process, without a socket, so that one set-up serves the emulator and real accounts. */
export function inProcessStripeClient(core: StripeCore, secretKey: string): Stripe {
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const answered = await core.handle({
      method: request.method,
      path: pathname + search,
      headers,
      body: await request.text(),
    })
    if (answered === undefined) throw new TypeError('the connection was cut')
    return new Response(answered.body, { status: answered.status, headers: answered.headers })
  }
  return new Stripe(secretKey, { httpClient: Stripe.createFetchHttpClient(answer), telemetry: false })
}
