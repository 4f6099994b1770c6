import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { demoProvider } from '../../../infra/data/demo.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createIdentities } from '../../../lib/adapters/dynamodb/identityStore.ts'
import { createOAuthClients } from '../../../lib/adapters/dynamodb/oauthClientStore.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { exchangeOf, SECRET } from '../../oauth/authorize/people.ts'
import { ruledTeamsOf, twoFactors } from '../../organizations/admission/ruledTeam.ts'
import { peopleOf } from '../../organizations/members/people.ts'
import { type Company, createCompany, loseDomain, openSignOn } from '../../signIn/provider/companyVisits.ts'
import { Browser } from '../../signIn/provider/providerVisits.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
const { person, organizationOf, setRole } = peopleOf(bed)
const { setSecondFactor, signedIn } = ruledTeamsOf(bed)
const [employee] = demoProvider.people
const tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

/** A company, its owner, and another owner who came by its sign-on, with what a client got then. */
async function team() {
  const { client, documents, emulator } = bed.stack
  const { info } = client
  const { clientId, clientSecret } = demoProvider
  const place = {
    ...{ documents, table: info.tables.billing, client: { clientId, clientSecret } },
    kms: { endpoint: info.kms_endpoint, keyId: info.kms.customer_key_id },
    at: (await emulator.now()) * 1000,
  }
  const issuer = `${info.base_url}/_local/provider`
  const owner = await person()
  const id = await organizationOf(owner)
  const own = await createCompany(place, { issuer, id, domain: employee.email.split('@')[1] ?? '' })
  await linkEarlier(own, issuer)
  const browser = new Browser(info.base_url)
  const clients = createOAuthClients(documents, info.tables.accounts)
  const { path, client: app, page } = await openSignOn({ clients }, browser, own)
  await browser.signInAs(employee, page)
  // The page of a missing factor, which an earlier company may require, is not the test's.
  const { location } = await browser.get(`${path}&prompt=none`)
  const code = new URL(location ?? '', issuer).searchParams.get('code') ?? ''
  const credentials = { client_id: app.clientId, client_secret: SECRET }
  const { body } = await client.send({ method: 'POST', path: '/api/oauth/token', body: exchangeOf(app, code) })
  const got = tokens.parse(body)
  const me = await client.send({ method: 'GET', path: '/api/users/me', token: got.access_token })
  const leaver = { id: userIdSchema.parse(z.object({ id: z.string() }).parse(me.body).id) }
  await setRole(id, leaver, 'owner')
  return { own, owner, leaver, got, credentials }
}

/** Connects the account that an earlier company of the test has made. */
async function linkEarlier({ id }: Company, issuer: string): Promise<void> {
  const { client, documents, emulator } = bed.stack
  const table = client.info.tables.accounts
  const account = await createAccounts(documents, table).findByEmail(emailKey(employee.email))
  if (account === undefined) return
  await setSecondFactor(account.user, false)
  const identity = { issuer, subject: employee.subject, providerId: id, organizationId: id }
  await createIdentities(documents, table).link(account, identity, (await emulator.now()) * 1000)
}
type Team = Awaited<ReturnType<typeof team>>

/** The status of each area of the API, and what the authorization server says of both tokens. */
async function seen({ own: { id }, got, credentials }: Team) {
  const { client } = bed.stack
  const statuses = async (paths: readonly string[]) => {
    const token = got.access_token
    const answers = []
    for (const path of paths) answers.push((await client.send({ method: 'GET', path, token })).status)
    return [...new Set(answers)]
  }
  const isActive = async (token: string) => {
    const sent = { method: 'POST', path: '/api/oauth/introspect', body: { ...credentials, token } } as const
    return z.object({ active: z.boolean() }).parse((await client.send(sent)).body).active
  }
  const own = `/api/organizations/${id}`
  const inOrganization = ['', '/members', '/audit-log', '/sign-in-rules', '/domains', '/sso', '/api-clients']
  const billing = ['subscriptions', 'entitlements', 'invoices', 'payment-methods', 'details']
  return {
    account: await statuses(['/api/users/me', '/api/users/me/sessions', '/api/organizations']),
    organization: await statuses([...inOrganization, '/webhook-endpoints'].map((part) => own + part)),
    billing: await statuses(billing.map((part) => `/api/billing/${part}?organization_id=${id}`)),
    active: [await isActive(got.access_token), await isActive(got.refresh_token)],
  }
}
const live = { account: [200], organization: [200], billing: [200], active: [true, true] }
const shut = (status: number) => ({ ...live, organization: [status], billing: [status] })
const ended = { account: [401], organization: [401], billing: [401], active: [false, false] }

async function signOut({ own: { id } }: Team, token: string): Promise<void> {
  const body = new URLSearchParams({ logout_token: token })
  const { base_url } = bed.stack.client.info
  const { status } = await fetch(`${base_url}/api/sso/backchannel-logout/${id}`, { method: 'POST', body })
  expect(status).toBe(200)
}

/** What takes a member's access, and what each area answers at the next request. */
const causes: Readonly<Record<string, { leave: (team: Team) => Promise<void>; left: typeof live }>> = {
  'they are removed': {
    async leave({ own, owner, leaver }) {
      expect((await owner.call('DELETE', `/api/organizations/${own.id}/members/${leaver.id}`)).status).toBe(204)
    },
    left: shut(404),
  },
  'the domain is lost that they came by': {
    leave: ({ own }) => loseDomain(bed.stack.documents, bed.stack.client.info.tables.billing, own),
    left: shut(401),
  },
  'a rule is broken that a sign-in mends': {
    async leave({ own, leaver, owner }) {
      await setSecondFactor(leaver, true)
      await requireFactor(own, owner)
    },
    left: shut(401),
  },
  'a rule is broken that none mends': {
    leave: ({ own, owner }) => requireFactor(own, owner),
    left: shut(403),
  },
  'the provider signs them out': {
    async leave(all) {
      const { base_url } = bed.stack.client.info
      const query = new URLSearchParams({ sub: employee.subject, aud: demoProvider.clientId })
      const token = await fetch(`${base_url}/_local/provider/logout-token?${query}`)
      await signOut(all, await token.text())
    },
    left: ended,
  },
}

async function requireFactor({ id }: Company, owner: Team['owner']): Promise<void> {
  await setSecondFactor(owner, true)
  const strong = await signedIn(owner, { methods: twoFactors })
  const rules = { second_factor_required_from: '2020-01-01T00:00:00Z' }
  expect((await strong.call('PATCH', `/api/organizations/${id}/sign-in-rules`, rules)).status).toBe(200)
}

describe('What a member reaches in each area ends at the next request', () => {
  // [threat 93.19]
  it.each(Object.entries(causes))('once %s', async (_, { leave, left }) => {
    const all = await team()
    expect(await seen(all)).toEqual(live)
    await leave(all)
    expect(await seen(all)).toEqual(left)
  })
})
