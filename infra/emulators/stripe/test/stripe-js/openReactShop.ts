import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { listen } from '../../server/startStripeServer.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { shopTab } from '../support/shopTab.ts'

/** A page that has the emulator's script in place of Stripe's, as a test of a shop would have it. */
const html = (apiBase: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Shop</title>
    <script src="${apiBase}/v3/"></script>
  </head>
  <body>
    <main></main>
    <script type="module" src="/shop.js"></script>
  </body>
</html>`

/** The shop's script, in React's development build: only that runs effects twice under StrictMode, and warns. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('reactShop.js', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

let script: Promise<string> | undefined

type Actions = Record<string, (sent: string) => Promise<unknown>>

/** What the server of the shop does in a tab. A function is given to a tab once. */
const serving = new WeakMap<Page, { actions: Actions }>()

async function serve(page: Page, actions: Actions): Promise<void> {
  const known = serving.get(page)
  if (known !== undefined) {
    known.actions = actions
    return
  }
  const server = { actions }
  serving.set(page, server)
  await page.exposeFunction('serve', (name: string, sent: string) => server.actions[name]?.(sent))
}

/** An emulator, and a shop that uses Stripe's own React library in this tab. */
export async function openReactShop(page: Page) {
  const emulator = await openEmulator()
  const { stripe } = emulator
  script ??= bundle()
  const source = await script
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${emulator.apiBase}`,
    `frame-src ${emulator.apiBase}`,
    `connect-src ${emulator.apiBase}`,
  ].join('; ')
  const server = createServer((request, response) => {
    const type = request.url === '/shop.js' ? 'text/javascript' : 'text/html'
    if (request.url === '/favicon.ico') response.writeHead(204).end()
    else {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
      response.end(type === 'text/html' ? html(emulator.apiBase) : source)
    }
  })
  const shopUrl = `${await listen(server, 0)}/`
  const terms = { amount: 4900, currency: 'usd' }
  const openPayment = async () => (await stripe.paymentIntents.create(terms)).client_secret ?? ''
  await serve(page, {
    openPayment,
    async payByToken(confirmation_token) {
      const { status, client_secret } = await stripe.paymentIntents.create({
        ...terms,
        confirm: true,
        confirmation_token,
      })
      return { status, clientSecret: client_secret }
    },
  })

  const tab = shopTab(page)
  await page.goto(shopUrl)

  return {
    ...emulator,
    ...tab,
    openPayment,
    frames: () => page.locator('iframe[title="Secure card payment input frame"]').count(),
    /** Shows the form of a flow and waits until its fields are ready. */
    async start(flow: string, clientSecret = '') {
      await page.evaluate(`start('${flow}', '${clientSecret}')`)
      await page.locator('button:enabled').waitFor()
    },
    /** Fills in a card, and pays. */
    async pay(number: string) {
      await tab.fill(number)
      await page.getByRole('button', { name: 'Pay' }).click()
    },
    complete: () => tab.bankButton('Complete').click(),
    /** What the form shows in the end. */
    async outcome(): Promise<string> {
      await page.locator('output:not(:empty)').waitFor()
      return (await page.locator('output').textContent()) ?? ''
    },
    async close() {
      await page.goto('about:blank')
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
      await emulator.close()
    },
  }
}
