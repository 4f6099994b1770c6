import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { samplePassword, tokenMailedTo } from '../../../infra/local/samples/sampleAccounts.ts'
import { provenDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { type Person, peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person, stored } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const list = z.object({
  invitations: z.array(z.looseObject({ id: z.string(), organization: z.looseObject({ id: z.string() }) })),
  next_cursor: z.string().nullable(),
})
const withId = z.object({ id: z.string() })

let organizationId: string
let domain: string
let domainId: string

/** Sends a request as the demo's owner, who owns the organization. */
const asOwner = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  bed.stack.client.send({
    method,
    path: `/api/organizations/${organizationId}${path}`,
    token: await bed.stack.client.accessToken('owner'),
    body,
  })
const choose = async (membership: string) => {
  expect((await asOwner('PATCH', `/domains/${domainId}`, { membership })).status).toBe(200)
}
const address = () => `${randomUUID().slice(0, 8)}@${domain}`
const offered = async (who: Person, query = '') =>
  list.parse((await who.call('GET', `/api/users/me/invitations${query}`)).body).invitations
const act = (who: Person, id: string, action: 'accept' | 'decline') =>
  who.call('POST', `/api/users/me/invitations/${id}/${action}`)
const accept = async (who: Person) => act(who, (await offered(who))[0]?.id ?? '', 'accept')
const roles = async () => (await stored(z.custom<Parameters<typeof stored>[0]>().parse(organizationId))).roles
const told = async () => (await bed.stack.outbox(organizationId)).map(({ type, data }) => [type, data])
const entries = async () => {
  const all = await bed.stack.auditEntries(organizationId)
  return all.map(({ action, detail }) => [action, detail])
}

/** Registers an account by the API and verifies its address. Returns the user's id. */
async function register(email: string): Promise<string> {
  const { client } = bed.stack
  const username = `u-${randomUUID().slice(0, 8)}`
  await client.send({ method: 'POST', path: '/api/auth/register', body: { email, username, password: samplePassword } })
  const token = await tokenMailedTo(client, email)
  return verify(token)
}

async function verify(token: string): Promise<string> {
  const body = { token, password: samplePassword }
  const answer = await bed.stack.client.send({ method: 'POST', path: '/api/auth/verify', body })
  expect(answer.status).toBe(200)
  return withId.parse(answer.body).id
}

beforeEach(async () => {
  const { client } = bed.stack
  organizationId = await client.newOrganization()
  const made = await provenDomain(client, organizationId)
  domain = made.domain
  domainId = made.id
  expect((await asOwner('POST', `/domains/${domainId}/verify`)).status).toBe(200)
})

describe('People with an address of a verified domain', () => {
  it('are offered the organization first among their invitations, and become members when they accept', async () => {
    await choose('offer')
    const guest = await person({ email: address() })
    const [offer] = await offered(guest)
    expect(offer).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      organization: { id: organizationId, name: expect.any(String) },
      role: 'member',
      invited_by: null,
      expires_at: null,
    })
    const joined = { status: 200, body: { organization_id: organizationId, role: 'member' } }
    expect(await act(guest, offer?.id ?? '', 'accept')).toMatchObject(joined)
    expect(await act(guest, offer?.id ?? '', 'accept')).toMatchObject({ status: 404 })
    expect((await guest.call('GET', `/api/organizations/${organizationId}`)).status).toBe(200)
    expect(await offered(guest)).toEqual([])
    expect(await told()).toContainEqual(['member.added', { user_id: guest.id, role: 'member' }])
    expect(await entries()).toContainEqual(['member.joined', { role: 'member' }])
  })

  it('page through the offer and other invitations', async () => {
    await choose('offer')
    const guest = await person({ email: address() })
    const owner = await person()
    const { id } = withId.parse((await owner.call('POST', '/api/organizations', { name: 'Other' })).body)
    await owner.call('POST', `/api/organizations/${id}/invitations`, { email: guest.email, role: 'member' })
    const seen: string[] = []
    for (let query: string | undefined = '?limit=1'; query !== undefined; ) {
      const { body } = await guest.call('GET', `/api/users/me/invitations${query}`)
      const { invitations, next_cursor } = list.parse(body)
      seen.push(...invitations.map(({ organization }) => organization.id))
      query = next_cursor === null ? undefined : `?limit=1&cursor=${encodeURIComponent(next_cursor)}`
    }
    expect(seen).toEqual([organizationId, id])
    expect((await offered(guest)).map(({ organization }) => organization.id)).toEqual([organizationId, id])
  })

  it('join when their address is verified, if the owners chose that, also after a change of the address', async () => {
    await choose('join')
    const id = await register(address())
    expect(await roles()).toMatchObject({ [id]: 'member' })
    expect(await told()).toContainEqual(['member.added', { user_id: id, role: 'member' }])
    expect(await entries()).toContainEqual(['member.joined', { role: 'member' }])
    const earlier = await person({ email: address() })
    expect((await accept(earlier)).status).toBe(200)
  })

  // [threat 93.11]
  it('are never brought in again once they were removed, left or declined', async () => {
    await choose('offer')
    const [removed, left, declined] = [
      await person({ email: address() }),
      await person({ email: address() }),
      await person({ email: address() }),
    ]
    for (const member of [removed, left]) expect((await accept(member)).status).toBe(200)
    expect((await asOwner('DELETE', `/members/${removed.id}`)).status).toBe(204)
    expect((await left.call('POST', `/api/organizations/${organizationId}/leave`)).status).toBe(204)
    expect(await told()).toContainEqual(['member.removed', { user_id: removed.id, role: 'member' }])
    const [offer] = await offered(declined)
    expect((await act(declined, offer?.id ?? '', 'decline')).status).toBe(204)
    expect((await act(declined, offer?.id ?? '', 'decline')).status).toBe(404)
    for (const who of [removed, left, declined]) {
      expect(await offered(who)).toEqual([])
      expect((await act(who, offer?.id ?? '', 'accept')).status).toBe(404)
      expect((await who.call('GET', `/api/organizations/${organizationId}`)).status).toBe(404)
    }
  })

  // [threat 93.11]
  it('are not people of another domain or with an unverified address', async () => {
    await choose('join')
    const [other, subdomain, lookalike] = [
      await person(),
      await person({ email: `a@mail.${domain}` }),
      await person({ email: `a@${domain}.example` }),
    ]
    for (const who of [other, subdomain, lookalike]) expect(await offered(who)).toEqual([])
    const unverified = await person({ email: address(), isVerified: false })
    expect(await offered(unverified)).toEqual([])
    expect((await act(unverified, 'A'.repeat(43), 'accept')).status).toBe(403)
  })

  it('are left alone while the domain takes no one, or is no longer the organization’s', async () => {
    const guest = await person({ email: address() })
    expect(await offered(guest)).toEqual([])
    await choose('offer')
    const [offer] = await offered(guest)
    await choose('none')
    expect(await offered(guest)).toEqual([])
    expect((await act(guest, offer?.id ?? '', 'accept')).status).toBe(404)
    await choose('join')
    expect((await asOwner('DELETE', `/domains/${domainId}`)).status).toBe(204)
    expect(await offered(guest)).toEqual([])
    expect(await roles()).not.toHaveProperty(await register(address()))
  })

  // [catch joinByDomain.joinByDomain]
  it('are verified even if joining fails, and are offered the organization then', async () => {
    await choose('join')
    const email = address()
    const username = `u-${randomUUID().slice(0, 8)}`
    const { client, dynamoDb } = bed.stack
    await client.send({
      method: 'POST',
      path: '/api/auth/register',
      body: { email, username, password: samplePassword },
    })
    const token = await tokenMailedTo(client, email)
    // Only joining reads several items at once.
    const error = { type: 'ValidationException', message: 'broken' }
    dynamoDb.fail({ operation: 'BatchGetItem', times: 99, error })
    const id = await verify(token)
    dynamoDb.reset()
    expect(await roles()).not.toHaveProperty(id)
    const { demo } = client.info
    const body = { user_id: id, redirect_uri: demo.redirect_uri }
    const { body: minted } = await client.send({ method: 'POST', path: '/_local/authorization-codes', body })
    const { access_token } = await client.exchange(z.object({ code: z.string() }).parse(minted).code)
    const read = await client.send({ method: 'GET', path: '/api/users/me/invitations', token: access_token })
    expect(list.parse(read.body).invitations).toMatchObject([{ organization: { id: organizationId }, role: 'member' }])
  })
})
