import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as openid from 'openid-client'
import * as z from 'zod'
import { demoPublicClient } from '../../../infra/data/demo.ts'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import type { LocalInfo } from '../../../infra/local/info.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'

const { browser, describeInBrowser } = useBrowser('test/signIn/browser')

/** A small console of one page, with openid-client: it signs in, greets the user by the name that the API returns, and signs out. */
async function startConsole(info: LocalInfo) {
  const configuration = await openid.discovery(new URL(info.base_url), demoPublicClient.clientId, {}, openid.None(), {
    execute: [openid.allowInsecureRequests],
  })
  const checks = { pkceCodeVerifier: openid.randomPKCECodeVerifier(), expectedState: openid.randomState() }
  const code_challenge = await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier)

  async function greet(callback: URL): Promise<string> {
    const { access_token } = await openid.authorizationCodeGrant(configuration, callback, checks)
    const headers = { authorization: `Bearer ${access_token}` }
    const me = await fetch(`${info.base_url}/api/users/me`, { headers })
    const { email } = z.object({ email: z.string() }).parse(await me.json())
    return `<!doctype html><title>Console</title><h1>Hello ${email}</h1><a href="/sign-out">Sign out</a>`
  }

  const server = createServer(async ({ url = '' }, response) => {
    const link = (end: URL) => response.writeHead(302, { location: end.href }).end()
    if (url.startsWith('/callback?')) {
      const page = await greet(new URL(url, base)).catch((error: unknown) => `<h1>${error}</h1>`)
      return response.setHeader('content-type', 'text/html').end(page)
    }
    if (url === '/sign-out') return link(openid.buildEndSessionUrl(configuration))
    const { expectedState: state } = checks
    const request = { redirect_uri: `${base}/callback`, state, code_challenge, code_challenge_method: 'S256' }
    return link(openid.buildAuthorizationUrl(configuration, request))
  })
  const { url: base, close } = await listenOnLoopback(server)
  return { url: `${base}/`, close }
}

describeInBrowser('A person with a browser', () => {
  let stack: LocalStack
  let app: Awaited<ReturnType<typeof startConsole>> | undefined

  beforeAll(async () => {
    stack = await startStack({ quiet: true, schedules: false })
    app = await startConsole(stack.info)
  })
  afterAll(async () => {
    await app?.close()
    await stack?.close()
  })

  // [asvs 14.3.1]
  it('signs in from a console of the operator’s own, which needs no consent, is greeted there by the name from the API, and signs out', async () => {
    const { email } = await signUp(localClient(stack.info))
    if (app === undefined) throw new Error('there is no console')
    const page = await browser().newPage()
    page.setDefaultTimeout(60_000)
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

    await page.goto(app.url)
    await heading('Sign in')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(samplePassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(`Hello ${email}`)

    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading('You are signed out')
    const cookies = await page.context().cookies(stack.info.base_url)
    expect(cookies.map(({ name }) => name)).toEqual(['__Host-known-browser'])
    await page.goto(app.url)
    await heading('Sign in')
  })
})
