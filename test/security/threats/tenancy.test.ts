import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { newEmail } from '../../../infra/local/samples/sampleAccounts.ts'
import { newDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { webhookUrl } from '../../../infra/local/samples/sampleWebhooks.ts'
import { manifest } from '../../../infra/manifest.ts'
import { tenantOperations } from '../../organizations/members/tenantOperations.ts'
import { maskRequestId } from '../../support/errorBody.ts'
import { sendRaw, useAttackedStack } from './attackedStack.ts'

const stack = useAttackedStack()
const operations = await tenantOperations()
const withId = z.object({ id: z.string() })
const withSessions = z.object({ sessions: z.array(z.object({ id: z.string(), current: z.boolean() })) })

/** A demo user who calls the API; the operations of the manifest send what their sample events say. */
function as(user: 'owner' | 'member' | 'stranger') {
  return {
    async call(method: string, path: string, body?: unknown) {
      const authorization = `Bearer ${await stack().accessToken(user)}`
      const headers = { authorization, 'content-type': 'application/json' }
      const sent = body === undefined ? '' : JSON.stringify(body)
      const answer = await sendRaw(stack().info.base_url, { method, path, headers, body: sent })
      const text = maskRequestId(answer.body)
      return { status: answer.status, text, body: text === '' ? undefined : JSON.parse(text), headers: {} }
    },
  }
}

/** One id as a lenient reader takes it. */
const spellings: Readonly<Record<string, (id: string) => string>> = {
  'upper case': (id) => id.toUpperCase(),
  'no hyphens': (id) => id.replaceAll('-', ''),
  braces: (id) => encodeURIComponent(`{${id}}`),
  'a URN': (id) => encodeURIComponent(`urn:uuid:${id}`),
}

describe('A foreign organization’s id', () => {
  // [threat 53]
  it.each(operations)('opens nothing in another spelling to $name', async ({ call }) => {
    const { other_organization_id: foreign, stranger } = stack().info.demo
    const plain = await call(as('owner'), foreign, stranger.id)
    expect(plain.status).toBe(404)
    for (const [spelling, spell] of Object.entries(spellings)) {
      expect({ spelling, ...(await call(as('owner'), spell(foreign), stranger.id)) }).toEqual({ spelling, ...plain })
    }
  })

  const inQuery = operations.filter(({ name }) => name.startsWith('billing-'))

  // [threat 17]
  it.each(inQuery)('opens nothing beside the caller’s own to $name', async ({ call }) => {
    const { organization_id: own, other_organization_id: foreign, stranger } = stack().info.demo
    const pairs = [
      `${own}&organization_id=${foreign}`,
      `${foreign}&organization_id=${own}`,
      `${own},${foreign}`,
      `${foreign}&organization_id[]=${own}`,
      `${foreign}%26organization_id=${own}`,
    ]
    for (const pair of pairs) expect([404, 422]).toContain((await call(as('owner'), pair, stranger.id)).status)
  })

  // [threat 17]
  it('in a body or a header is not read: the one of the address counts', async () => {
    const { organization_id: own, other_organization_id: foreign } = stack().info.demo
    const path = `/api/billing/subscriptions?organization_id=${foreign}`
    const authorization = `Bearer ${await stack().accessToken('owner')}`
    const headers = { authorization, 'x-organization-id': own, organization_id: own }
    expect((await sendRaw(stack().info.base_url, { path, headers })).status).toBe(404)
    const cancel = { product: 'ota', at_period_end: true, organization_id: own }
    expect(await as('owner').call('POST', `/api/billing/cancel?organization_id=${foreign}`, cancel)).toMatchObject({
      status: 422,
    })
  })
})

describe('The caller’s own organization', () => {
  // [threat 54]
  it('is one, however its id is spelled: 5 spellings at once buy a product once', async () => {
    const token = await stack().accessToken('owner')
    const organizationId = await stack().newOrganization()
    const card = await stack().addCard({ token, organizationId, testCard: 'pm_card_visa' })
    const ids = [organizationId, ...Object.values(spellings).map((spell) => spell(organizationId))]
    const body = { product_codes: ['base_ota'], payment_method_id: card }
    const answers = await Promise.all(
      ids.map((id) => as('owner').call('POST', `/api/billing/checkout?organization_id=${id}`, body)),
    )
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1)
    for (const { status } of answers) expect([201, 409]).toContain(status)
    const { data } = await stack().stripe.subscriptions.list({ limit: 100 })
    expect(data.filter(({ metadata }) => metadata.organization_id === organizationId)).toHaveLength(1)
  })
})

/** What belongs to the stranger, and what the demo's owner asks for with its id: each row of the manifest with an id of its own in its path. */
const foreignThings: Readonly<Record<string, (attempt: Attempt) => Promise<void>>> = {
  async 'users-me-session-end'() {
    const { body } = await as('stranger').call('GET', '/api/users/me/sessions')
    const { id } = withSessions.parse(body).sessions.find(({ current }) => current) ?? { id: '' }
    expect((await as('owner').call('DELETE', `/api/users/me/sessions/${id}`)).status).toBe(404)
    expect((await as('stranger').call('GET', '/api/users/me')).status).toBe(200)
  },
  async 'users-me-consent-withdraw'() {
    // The stranger’s tokens are of this client.
    await as('stranger').call('GET', '/api/users/me')
    await as('member').call('DELETE', `/api/users/me/consents/${stack().info.demo.client_id}`)
    expect((await as('stranger').call('GET', '/api/users/me')).status).toBe(200)
  },
  async 'users-me-invitation-accept'(attempt) {
    const id = await strangersInvitation(attempt)
    expect((await as('owner').call('POST', `/api/users/me/invitations/${id}/accept`)).status).toBe(404)
    const { text } = await as('stranger').call('GET', '/api/users/me/invitations')
    expect(text).toContain(id)
  },
  async 'users-me-invitation-decline'(attempt) {
    const id = await strangersInvitation(attempt)
    expect((await as('owner').call('POST', `/api/users/me/invitations/${id}/decline`)).status).toBe(404)
    const { text } = await as('stranger').call('GET', '/api/users/me/invitations')
    expect(text).toContain(id)
  },
  async 'organizations-invitation-resend'({ own, foreign }) {
    const id = await foreignInvitation(foreign)
    const path = `/api/organizations/${own}/invitations/${id}/resend`
    expect((await as('owner').call('POST', path)).status).toBe(404)
  },
  async 'organizations-invitation-revoke'({ own, foreign }) {
    const id = await foreignInvitation(foreign)
    await as('owner').call('DELETE', `/api/organizations/${own}/invitations/${id}`)
    const { text } = await as('stranger').call('GET', `/api/organizations/${foreign}/members`)
    expect(text).toContain(id)
  },
  async 'organizations-member'({ own, foreign, stranger }) {
    const of = (organization: string) => `/api/organizations/${organization}/members/${stranger}`
    expect((await as('owner').call('GET', of(own))).status).toBe(404)
    expect((await as('stranger').call('GET', of(foreign))).status).toBe(200)
  },
  async 'organizations-member-role'({ own, foreign, stranger }) {
    const path = `/api/organizations/${own}/members/${stranger}`
    expect((await as('owner').call('PATCH', path, { role: 'member' })).status).toBe(404)
    expect(await as('stranger').call('GET', `/api/organizations/${foreign}`)).toMatchObject({ body: { role: 'owner' } })
  },
  async 'organizations-member-remove'({ own, foreign, stranger }) {
    await as('owner').call('DELETE', `/api/organizations/${own}/members/${stranger}`)
    expect(await as('stranger').call('GET', `/api/organizations/${foreign}`)).toMatchObject({ body: { role: 'owner' } })
  },
  async 'organizations-api-client-rotate'(attempt) {
    const { id, client_id, client_secret } = await foreignApiClient(attempt)
    const path = `/api/organizations/${attempt.own}/api-clients/${id}/rotate`
    expect((await as('owner').call('POST', path)).status).toBe(404)
    expect(await tokenStatus({ client_id, client_secret })).toBe(200)
  },
  async 'organizations-api-client-delete'(attempt) {
    const { id, client_id, client_secret } = await foreignApiClient(attempt)
    const path = `/api/organizations/${attempt.own}/api-clients/${id}`
    expect((await as('owner').call('DELETE', path)).status).toBe(404)
    expect(await tokenStatus({ client_id, client_secret })).toBe(200)
  },
  ...Object.fromEntries(
    (
      [
        ['webhook-endpoint', 'GET', ''],
        ['webhook-endpoint-update', 'PATCH', ''],
        ['webhook-endpoint-delete', 'DELETE', ''],
        ['webhook-endpoint-rotate', 'POST', '/rotate-secret'],
        ['webhook-endpoint-test', 'POST', '/test'],
        ['webhook-deliveries', 'GET', '/deliveries'],
      ] as const
    ).map(([name, method, what]) => [name, (attempt: Attempt) => expectForeignEndpoint(attempt, method, what)]),
  ),
  ...Object.fromEntries(
    (
      [
        ['company-domain-verify', 'POST', '/verify'],
        ['company-domain-update', 'PATCH', ''],
        ['company-domain-delete', 'DELETE', ''],
      ] as const
    ).map(([name, method, what]) => [name, (attempt: Attempt) => expectForeignDomain(attempt, method, what)]),
  ),
  async 'webhook-delivery-resend'(attempt) {
    const endpoint = await foreignEndpoint(attempt.foreign)
    const of = (organization: string) => `/api/organizations/${organization}/webhook-endpoints/${endpoint}`
    const { id } = withId.parse((await as('stranger').call('POST', `${of(attempt.foreign)}/test`)).body)
    expect((await as('owner').call('POST', `${of(attempt.own)}/deliveries/${id}/resend`)).status).toBe(404)
    // Nor beside an endpoint of their own.
    const own = await as('owner').call('POST', `/api/organizations/${attempt.own}/webhook-endpoints`, {
      url: webhookUrl,
    })
    const path = `/api/organizations/${attempt.own}/webhook-endpoints/${withId.parse(own.body).id}`
    expect((await as('owner').call('POST', `${path}/deliveries/${id}/resend`)).status).toBe(404)
  },
  async 'billing-invoice'(attempt) {
    const id = await foreignInvoice(attempt)
    const of = (organization: string) => `/api/billing/invoices/${id}?organization_id=${organization}`
    expect((await as('owner').call('GET', of(attempt.own))).status).toBe(404)
    expect((await as('stranger').call('GET', of(attempt.foreign))).status).toBe(200)
  },
  async 'billing-payment-method'(attempt) {
    const card = await foreignCard(attempt)
    const of = (organization: string) => `/api/billing/payment-methods/${card}?organization_id=${organization}`
    expect((await as('owner').call('GET', of(attempt.own))).status).toBe(404)
    expect((await as('stranger').call('GET', of(attempt.foreign))).status).toBe(200)
  },
  async 'billing-payment-method-default'(attempt) {
    const card = await foreignCard(attempt)
    const path = `/api/billing/payment-methods/${card}/default?organization_id=${attempt.own}`
    expect((await as('owner').call('POST', path)).status).toBe(404)
  },
  async 'billing-payment-method-remove'(attempt) {
    const card = await foreignCard(attempt)
    const path = `/api/billing/payment-methods/${card}?organization_id=${attempt.own}`
    expect((await as('owner').call('DELETE', path)).status).toBe(404)
    const cards = await as('stranger').call('GET', `/api/billing/payment-methods?organization_id=${attempt.foreign}`)
    expect(cards.text).toContain(card)
  },
}

interface Attempt {
  readonly own: string
  readonly foreign: string
  /** The owner of the foreign organization. */
  readonly stranger: string
}

/** The stranger invites someone to the foreign organization. */
async function foreignInvitation(foreign: string): Promise<string> {
  const invite = { email: newEmail(), role: 'member' }
  return withId.parse((await as('stranger').call('POST', `/api/organizations/${foreign}/invitations`, invite)).body).id
}

const withInvitations = z.object({ invitations: z.array(withId) })

/** The owner invites the stranger. Returns the invitation's id in the stranger's own list. */
async function strangersInvitation({ own }: Attempt): Promise<string> {
  const invite = { email: stack().info.demo.stranger.email, role: 'member' }
  await as('owner').call('POST', `/api/organizations/${own}/invitations`, invite)
  const { body } = await as('stranger').call('GET', '/api/users/me/invitations')
  const [invitation] = withInvitations.parse(body).invitations
  return withId.parse(invitation).id
}

const apiClient = z.object({ id: z.string(), client_id: z.string(), client_secret: z.string() })

async function foreignApiClient({ foreign }: Attempt) {
  const request = { name: 'Of the stranger', scopes: ['billing:read'] }
  return apiClient.parse((await as('stranger').call('POST', `/api/organizations/${foreign}/api-clients`, request)).body)
}

async function tokenStatus(credentials: { client_id: string; client_secret: string }): Promise<number> {
  const body = { ...credentials, grant_type: 'client_credentials' }
  return (await stack().send({ method: 'POST', path: '/api/oauth/token', body })).status
}

/** The owner finds no endpoint of the stranger, who still does afterwards. */
async function expectForeignEndpoint({ own, foreign }: Attempt, method: string, what: string): Promise<void> {
  const id = await foreignEndpoint(foreign)
  const of = (organization: string) => `/api/organizations/${organization}/webhook-endpoints/${id}`
  const sent = method === 'PATCH' ? { enabled: false } : undefined
  expect((await as('owner').call(method, `${of(own)}${what}`, sent)).status).toBe(404)
  expect(await as('stranger').call('GET', of(foreign))).toMatchObject({ status: 200, body: { enabled: true } })
}

const withDomains = z.object({
  domains: z.array(z.object({ id: z.string(), status: z.string(), membership: z.string() })),
})

/** The owner finds no domain of the stranger, which stays as it is. */
async function expectForeignDomain({ own, foreign }: Attempt, method: string, what: string): Promise<void> {
  const domain = { domain: newDomain() }
  const claim = await as('stranger').call('POST', `/api/organizations/${foreign}/domains`, domain)
  const {
    id,
    txt_name: name,
    txt_value: value,
  } = z.object({ id: z.string(), txt_name: z.string(), txt_value: z.string() }).parse(claim.body)
  await stack().send({ method: 'POST', path: '/_local/dns', body: { name, type: 'TXT', values: [value] } })
  const sent = method === 'PATCH' ? { membership: 'join' } : undefined
  const refused = await as('owner').call(method, `/api/organizations/${own}/domains/${id}${what}`, sent)
  expect(refused).toMatchObject({ status: 404, body: { code: 'domain_not_found' } })
  const listed = await as('stranger').call('GET', `/api/organizations/${foreign}/domains`)
  expect(withDomains.parse(listed.body).domains).toContainEqual({ id, status: 'pending', membership: 'none' })
}

/** The stranger makes an endpoint of the foreign organization. Returns its id. */
async function foreignEndpoint(foreign: string): Promise<string> {
  const endpoint = { url: webhookUrl }
  return withId.parse(
    (await as('stranger').call('POST', `/api/organizations/${foreign}/webhook-endpoints`, endpoint)).body,
  ).id
}

async function foreignCard({ foreign }: Attempt): Promise<string> {
  const token = await stack().accessToken('stranger')
  return stack().addCard({ token, organizationId: foreign, testCard: 'pm_card_visa' })
}

const withInvoices = z.object({ invoices: z.array(withId) })

/** The stranger buys a product. Returns the id of the invoice. */
async function foreignInvoice(attempt: Attempt): Promise<string> {
  const query = `organization_id=${attempt.foreign}`
  const body = { product_codes: ['base_ota'], payment_method_id: await foreignCard(attempt) }
  await as('stranger').call('POST', `/api/billing/checkout?${query}`, body)
  const listed = await as('stranger').call('GET', `/api/billing/invoices?${query}`)
  const [invoice] = withInvoices.parse(listed.body).invoices
  return withId.parse(invoice).id
}

/** Parameters that are no id of anyone's. */
const noIds = ['organization_id', 'product']

describe('The id of another’s thing below the caller’s own organization', () => {
  it('is tried at every route that has one', () => {
    const routes = manifest.filter(({ trigger }) => {
      const path = trigger.kind === 'http' ? trigger.path : ''
      return [...path.matchAll(/\{(\w+)\}/g)].some(([, parameter = '']) => !noIds.includes(parameter))
    })
    expect(routes.map(({ name }) => name).sort()).toEqual(Object.keys(foreignThings).sort())
  })

  // [threat 55 104 134]
  it.each(Object.entries(foreignThings))('changes nothing of the other’s by %s', async (_, attempt) => {
    const { organization_id: own, other_organization_id: foreign, stranger } = stack().info.demo
    await attempt({ own, foreign, stranger: stranger.id })
  })

  // [threat 56]
  it('makes no one an owner: a transfer to a stranger is 404', async () => {
    const { organization_id: own, stranger, owner } = stack().info.demo
    const answer = await as('owner').call('POST', `/api/organizations/${own}/transfer`, { user_id: stranger.id })
    expect(answer.status).toBe(404)
    expect(await as('owner').call('GET', `/api/organizations/${own}`)).toMatchObject({ body: { role: 'owner' } })
    expect(owner.id).not.toBe(stranger.id)
  })
})
