import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { listen } from '../../server/startStripeServer.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { shopTab } from '../support/shopTab.ts'

/** A page of another origin that loads Stripe.js and lets it do only what Stripe asks of a page's policy. */
const html = (apiBase: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Shop</title>
    <link rel="stylesheet" href="/shop.css">
    <script src="${apiBase}/v3/"></script>
  </head>
  <body>
    <main>
      <h1>Pay</h1>
      <form id="form">
        <label for="card">Card</label>
        <div id="card"></div>
        <button type="submit">Save</button>
      </form>
    </main>
  </body>
</html>`

const css = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f6f8fb, #10141d); color: light-dark(#1a1f36, #eceef3) }
main { max-width: 520px; margin: 40px auto; padding: 0 16px }
#card.StripeElement { border: 1px solid light-dark(#c8d0dc, #47506a); border-radius: 8px; padding: 12px 14px; background: light-dark(#fff, #1d2230) }
#card.StripeElement--focus { outline: 3px solid light-dark(#4a41cf, #a29dff) }
#card.StripeElement--invalid { border-color: #b3093c }
#card.bare { border: 0; padding: 0; background: none; outline: none }
button { margin-top: 16px; padding: 10px 18px; font: inherit }
`

/** An emulator, a shop of another origin in this tab, and what the shop's script asks of Stripe.js. */
export async function openShop(page: Page) {
  const emulator = await openEmulator()
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${emulator.apiBase}`,
    `frame-src ${emulator.apiBase}`,
    `connect-src ${emulator.apiBase}`,
  ].join('; ')
  const server = createServer((request, response) => {
    if (request.url === '/shop.css') response.writeHead(200, { 'content-type': 'text/css' }).end(css)
    else if (request.url === '/favicon.ico') response.writeHead(204).end()
    else {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
      response.writeHead(200, headers).end(html(emulator.apiBase))
    }
  })
  const shopUrl = `${await listen(server, 0)}/`

  const tab = shopTab(page)
  const sent: { from: string; body: string }[] = []
  page.on('request', (request) => {
    const body = request.postData()
    if (body !== null) sent.push({ from: new URL(request.frame().url()).origin, body })
  })
  await page.setViewportSize({ width: 1000, height: 720 })
  await page.goto(shopUrl)
  await page.evaluate("window.stripe = Stripe('pk_test_local'); window.happened = []")

  return {
    ...emulator,
    ...tab,
    shopUrl,
    /** Every body that was sent, with the origin of the frame that sent it. */
    sent,
    /** Mounts an element of a type; `options` are those of `elements` and of the element, as source text. */
    mount: (type: 'card' | 'payment', elements = '{}', options = '{}') =>
      page.evaluate(`new Promise((resolve) => {
        window.elements = stripe.elements(${elements})
        window.element = elements.create('${type}', ${options})
        for (const name of ['change', 'focus', 'blur', 'escape']) element.on(name, (event) => happened.push({ name, ...event }))
        element.on('ready', resolve)
        if ('${type}' === 'payment') document.querySelector('#card').className = 'bare'
        element.mount('#card')
      })`),
    /** Starts a call of the shop's script, whose result `result` waits for. */
    begin: (source: string) => page.evaluate(`void (window.result = (async () => ${source})())`),
    result: (): Promise<unknown> => page.evaluate('result'),
    async openSetup() {
      const customer = await emulator.stripe.customers.create({ name: 'Ada' })
      const intent = await emulator.stripe.setupIntents.create({ customer: customer.id })
      return { customer: customer.id, id: intent.id, secret: intent.client_secret ?? '' }
    },
    async openPayment(amount = 4900) {
      const intent = await emulator.stripe.paymentIntents.create({ amount, currency: 'usd' })
      return { id: intent.id, secret: intent.client_secret ?? '' }
    },
    async close() {
      await page.goto('about:blank')
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
      await emulator.close()
    },
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>
