import * as z from 'zod'
import { demoProvider } from '../../../infra/data/demo.ts'
import { emailChangeToken, newEmail, samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { provenDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { createOAuthClients } from '../../../lib/adapters/dynamodb/oauthClientStore.ts'
import { REDIRECT_URI, SECRET, VERIFIER } from '../../oauth/authorize/people.ts'
import { type Company, createCompany, openSignOn } from '../../signIn/provider/companyVisits.ts'
import { Browser } from '../../signIn/provider/providerVisits.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import { runScheduled } from './runScheduled.ts'

const WEEK = 7 * 24 * 3600
const received = z.object({ invitations: z.array(z.object({ id: z.string() })) })

/** People with an address of a domain join its organization, are offered it, and decline; then the domain is lost. */
export async function comeByDomain(stack: BillingStack): Promise<void> {
  const { client, emulator } = stack
  const organizationId = await client.newOrganization()
  const domain = await provenDomain(client, organizationId)
  const own = `/api/organizations/${organizationId}/domains`
  const asOwner = async (method: 'POST' | 'PATCH', path: string, body?: object) =>
    client.send({ method, path, token: await client.accessToken('owner'), ...(body && { body }) })
  await asOwner('POST', own, { domain: domain.domain })
  await asOwner('POST', `${own}/${domain.id}/verify`)
  const newMember = () => newEmail().replace('example.com', domain.domain)

  await asOwner('PATCH', `${own}/${domain.id}`, { membership: 'join' })
  await signUp(client, newMember())
  const moving = await signUp(client)
  const confirmation = { token: await emailChangeToken(client, moving, newMember()), password: samplePassword }
  await client.send({ method: 'POST', path: '/api/users/me/email/confirm', body: confirmation })

  await asOwner('PATCH', `${own}/${domain.id}`, { membership: 'offer' })
  const invitations = '/api/users/me/invitations'
  for (const answer of ['accept', 'decline']) {
    const { accessToken: token } = await signUp(client, newMember())
    const { body } = await client.send({ method: 'GET', path: invitations, token })
    for (const { id } of received.parse(body).invitations)
      await client.send({ method: 'POST', path: `${invitations}/${id}/${answer}`, token })
  }

  await emulator.advance(WEEK + 1)
  await runScheduled(stack, 'domains-check')
  const noRecord = { name: domain.txt_name, type: 'TXT', values: [] }
  await client.send({ method: 'POST', path: '/_local/dns', body: noRecord })
  for (const _ of ['missing', 'missing', 'lost']) {
    await emulator.advance(WEEK + 1)
    await runScheduled(stack, 'domains-check')
  }
}

const connect = '/api/sso/callback'

/** People of a company sign in by it, and join it; it signs one out. The others are asked for an account. */
export async function comeByCompany({ client, documents, emulator }: BillingStack): Promise<void> {
  const { info } = client
  const { clientId, clientSecret, people } = demoProvider
  const [{ subject: first, email: address }] = people
  const place = {
    ...{ documents, table: info.tables.billing, client: { clientId, clientSecret } },
    kms: { endpoint: info.kms_endpoint, keyId: info.kms.customer_key_id },
    at: (await emulator.now()) * 1000,
  }
  const issuer = `${info.base_url}/_local/provider`
  const own = await createCompany(place, { issuer, domain: address.split('@')[1] ?? '', membership: 'join' })
  const clients = createOAuthClients(documents, info.tables.accounts)
  for (const { subject } of people.filter(({ subject }) => subject !== somebody.subject)) {
    const browser = new Browser(info.base_url)
    const { path, client: console, page } = await openSignOn({ clients }, browser, own)
    await browser.signInAs({ subject }, page)
    if (subject === first) {
      const { location } = await browser.get(path)
      const code = new URL(location ?? '', issuer).searchParams.get('code')
      const exchange = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER }
      const body = { ...exchange, client_id: console.clientId, client_secret: SECRET }
      await client.send({ method: 'POST', path: '/api/oauth/token', body })
    }
    const asked = await browser.get(connect)
    const { email } = await signUp(client)
    await browser.submit(connect, asked, { action: 'login', email, password: samplePassword })
    const signedIn = await browser.get('/api/account/security')
    await browser.submit(connect, signedIn, { action: 'connect' })
    await browser.submit(path, signedIn, { action: 'allow' })
  }
  for (const path of ['/api/device', '/api/account/security']) {
    const browser = new Browser(info.base_url)
    await browser.submit(path, await browser.get(path), { action: 'address', email: address })
  }
  await comeByCompanyWithFactor({ client, emulator, clients }, own)
  const token = await fetch(`${issuer}/logout-token?sub=${first}&aud=${clientId}`)
  const body = new URLSearchParams({ logout_token: await token.text() })
  await fetch(`${info.base_url}/api/sso/backchannel-logout/${own.id}`, { method: 'POST', body })
}

/** A person of the demo's provider whose address has an account, and who is asked which account is theirs. */
const [, somebody] = demoProvider.people

/** Somebody with a second factor connects a company's provider, and signs in by it for a client and for a device. */
async function comeByCompanyWithFactor(
  { client, emulator, clients }: Pick<BillingStack, 'client' | 'emulator'> & Parameters<typeof openSignOn>[0],
  own: Company,
): Promise<void> {
  const { base_url } = client.info
  const ada = await enrollFactors(client)
  const showFactor = async (browser: Browser, path: string) => {
    await emulator.advance(60)
    const proof = await ada.code()
    await browser.submit(path, await browser.get(path), { action: 'second_factor', factor: 'totp', proof })
  }
  const first = new Browser(base_url)
  const { page } = await openSignOn({ clients }, first, own)
  await first.signInAs(somebody, page)
  const login = { action: 'login', email: ada.email, password: samplePassword }
  await first.submit(connect, await first.get(connect), login)
  await showFactor(first, connect)
  await first.submit(connect, await first.get(connect), { action: 'connect' })
  const second = new Browser(base_url)
  const { path, page: asked } = await openSignOn({ clients }, second, own)
  await second.signInAs(somebody, asked)
  await showFactor(second, path)
  const [third, device] = [new Browser(base_url), '/api/device']
  const ways = await third.submit(device, await third.get(device), { action: 'address', email: ada.email })
  await third.signInAs(somebody, ways)
  await showFactor(third, device)
}

/** A user with a second factor connects somebody whose address the operator's provider does not vouch for. */
export async function connectProvider({ client }: BillingStack): Promise<void> {
  const device = '/api/device'
  const ada = await enrollFactors(client)
  const visitor = new Browser(client.info.base_url)
  // Of no company's domain.
  const elsewhere = { action: 'address', email: 'somebody@example.net' }
  const ways = await visitor.submit(device, await visitor.get(device), elsewhere)
  await visitor.signInAs({ subject: 'unverified' }, ways)
  const submit = async (fields: Record<string, string>) => visitor.submit(connect, await visitor.get(connect), fields)
  await submit({ action: 'login', email: ada.email, password: samplePassword })
  await submit({ action: 'second_factor', factor: 'totp', proof: await ada.code() })
  await submit({ action: 'connect' })
}
