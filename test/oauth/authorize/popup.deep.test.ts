import { createServer } from 'node:http'
import { expect, it } from '@jest/globals'
import * as z from 'zod'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { PASSWORD, queryOf, registerClient, registerUser } from './people.ts'

const { browser, describeInBrowser } = useBrowser('test/oauth/authorize/popup')

const stack = useAccountsStack()

/** A console that signs in by a popup: its callback page hands the response to the page that opened it, as client libraries do. */
async function startConsole() {
  const page = `<!doctype html><title>Console</title><h1>Console</h1><script>
    const received = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)))
  </script>`
  const callback = `<!doctype html><title>Callback</title><script>opener.postMessage(location.search, location.origin)</script>`
  const server = createServer(({ url = '' }, response) =>
    response.setHeader('content-type', 'text/html').end(url.startsWith('/callback') ? callback : page),
  )
  const { url, close } = await listenOnLoopback(server)
  return { url: `${url}/`, redirectUri: `${url}/callback`, close }
}

describeInBrowser('A console that opens the sign-in page in a popup', () => {
  it('receives the response from its callback page, after sign-in and consent', async () => {
    const client = await startConsole()
    const page = await browser().newPage()
    page.setDefaultTimeout(60_000)
    try {
      const { redirectUri } = client
      const registered = await registerClient(stack(), { type: 'public', redirectUris: [redirectUri] })
      const { email } = await registerUser(stack())
      const link = `${stack().baseUrl}/api/oauth/authorize?${queryOf(registered, { redirect_uri: redirectUri })}`
      await page.goto(client.url)
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate(`void window.open(${JSON.stringify(link)}, '', 'width=500,height=600')`),
      ])
      await popup.getByLabel('Email address').fill(email)
      await popup.getByLabel('Password').fill(PASSWORD)
      await popup.getByRole('button', { name: 'Sign in' }).click()
      await popup.getByRole('button', { name: 'Allow' }).click()
      const search = z
        .string()
        .parse(
          await page.evaluate(
            `Promise.race([received, new Promise((_, reject) => setTimeout(() => reject(new Error('no message')), 60000))])`,
          ),
        )
      expect(Object.fromEntries(new URLSearchParams(search))).toMatchObject({ code: expect.any(String), iss: ISSUER })
    } finally {
      await page.close()
      await client.close()
    }
  })
})
