import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { freePort } from '../../../infra/listenOnLoopback.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { startStack } from '../../../infra/local/stack.ts'
import { fetched, run, Unavailable } from '../../../infra/openapi/clients/run.ts'
import { openAs, visitProvider } from '../../support/browser/visitProvider.ts'
import { companiesOf } from './judgeAsCompany.ts'

// `npm run clients:provider`: people sign in to a stack of its own at the OpenID provider of another language, zitadel/oidc in Go: as an operator's
// provider, then in a browser as that of companies. It is said if Go, its proxy or a browser cannot be had here; exit 1 is for a sign-in that goes
// wrong.
const MODULE = 'github.com/zitadel/oidc/v3/example/server'
const VERSION = 'v3.52.0'
const PASSWORD = 'right'
const personOf = (login: string, Email: string, EmailVerified = true) => ({
  ...{ ID: login, Username: login, Password: PASSWORD, Email, EmailVerified },
})
const people = {
  verified: personOf('verified', 'go@example.com'),
  unverified: personOf('unverified', 'no@example.com', false),
}

const directory = await mkdtemp(join(tmpdir(), 'sign-in-provider-'))
try {
  const asCompany = await judge()
  console.log(`zitadel/oidc ${VERSION}: signed in, signed in again, and made no account for an unverified address`)
  console.log(`zitadel/oidc ${VERSION} of companies: ${asCompany}`)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Unavailable) console.log(`zitadel/oidc ${VERSION}: not checked: ${message}`)
  else {
    process.exitCode = 1
    console.error(`zitadel/oidc ${VERSION}: FAILED: ${message}`)
  }
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function judge(): Promise<string> {
  const options = { cwd: directory, env: { GOBIN: directory } }
  await run('go', ['version'], options)
  await fetched(() => run('go', ['install', `${MODULE}@${VERSION}`], { ...options, minutes: 30 }))
  const stack = await startStack({ quiet: true, schedules: false, env: { COMPANY_SIGN_IN: 'on' } })
  const port = `${await freePort()}`
  const base = stack.info.base_url
  const issuer = `http://localhost:${port}/`
  const registration = { issuer, clientId: 'web', clientSecret: 'secret' }
  const pages = { signInThere: signInAtGo, strangerLogin: 'verified' }
  const companies = await companiesOf(localClient(stack.info), { ...registration, ...pages })
  const users = join(directory, 'users.json')
  const members = companies.logins.map((login) => [login, personOf(login, login)])
  await writeFile(users, JSON.stringify({ ...people, ...Object.fromEntries(members) }))
  const provider = spawn(join(directory, 'server'), {
    env: { PORT: port, REDIRECT_URI: `${base}/api/sso/callback`, USERS_FILE: users },
    stdio: 'ignore',
  })
  const ended = once(provider, 'exit')
  try {
    await answering(issuer)
    await register(base, issuer)
    for (const time of ['first', 'second']) {
      const { leadsTo, cookies } = await signIn(base, 'verified')
      const { demo } = stack.info
      const client = leadsTo && (await openAs(cookies, leadsTo)).leadsTo
      if (!client?.href.startsWith(demo.redirect_uri) || !client.searchParams.has('code'))
        throw new Error(`the ${time} sign-in led to ${client?.pathname}`)
    }
    const { leadsTo, cookies } = await signIn(base, 'unverified')
    const asked = leadsTo && (await openAs(cookies, leadsTo)).page
    if (leadsTo?.pathname !== '/api/sso/callback' || !asked?.includes('name="email"'))
      throw new Error(`an unverified address led to ${leadsTo?.pathname}`)
    return await companies.judge()
  } finally {
    provider.kill()
    await ended
    await companies.close()
    await stack.close()
  }

  /** Follows the button of the provider, and signs in there. */
  async function signIn(at: string, person: keyof typeof people) {
    const { client_id, redirect_uri } = stack.info.demo
    const request = new URLSearchParams({
      ...{ client_id, redirect_uri, response_type: 'code', state: 'state' },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    })
    const cookies = new Map<string, string>()
    const query = new URLSearchParams({ provider: 'go', page: 'authorize', request: request.toString() })
    const start = await openAs(cookies, new URL(`${at}/api/sso/start?${query}`))
    if (start.leadsTo === undefined) throw new Error('the start leads nowhere')
    const typed = { username: person, password: PASSWORD }
    const back = await visitProvider(start.leadsTo.href, new Map(), typed)
    return { cookies, leadsTo: (await openAs(cookies, back.leadsTo)).leadsTo }
  }
}

/** As an operator does. */
async function register(base: string, issuer: string): Promise<void> {
  const secret = join(directory, 'secret')
  await writeFile(secret, 'secret')
  const operate = new URL('../../../infra/operate/operate.ts', import.meta.url).pathname
  const named = ['--name', 'Go', '--issuer', issuer, '--client-id', 'web', '--client-secret-file', secret]
  await run(process.execPath, [operate, 'providers', 'add', 'go', ...named, '--base', base], { cwd: directory })
}

async function signInAtGo(page: Page, login: string): Promise<void> {
  await page.locator('input[name=username]').fill(login)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
}

async function answering(issuer: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`${issuer}.well-known/openid-configuration`).catch(() => undefined)
    if (answer?.ok) return
    await wait(100)
  }
  throw new Error('the provider does not answer')
}
