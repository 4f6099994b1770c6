import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { DemoUser } from '../../infra/data/demo.ts'
import { useBillingStack } from '../support/billingStack.ts'
import { cleanAfterEach } from './cleanAfterEach.ts'

const bed = useBillingStack()
cleanAfterEach(bed)

const operations = {
  checkout: { method: 'POST', path: '/api/billing/checkout', body: { product_codes: ['base_ota'] } },
  'setup-intent': { method: 'POST', path: '/api/billing/card-gateway/setup-intent' },
  cancel: { method: 'POST', path: '/api/billing/cancel', body: { product: 'ota' } },
  entitlements: { method: 'GET', path: '/api/billing/entitlements' },
} as const satisfies Record<string, { method: 'GET' | 'POST'; path: string; body?: object }>

interface Operation {
  method: 'GET' | 'POST'
  path: string
  body?: object
}
const everyOperation: [string, Operation][] = Object.entries(operations)

/** Sends an operation; headers that differ from one request to the next are left out of the answer. */
async function send(
  operation: Operation,
  query: string,
  request: { token?: string; headers?: Record<string, string>; text?: string } = {},
) {
  const { method, path, body } = operation
  const text = request.text ?? (body && JSON.stringify(body))
  const {
    status,
    text: bytes,
    headers,
  } = await bed.stack.wire({
    method,
    path: `${path}?${query}`,
    headers: { 'content-type': 'application/json', ...request.headers },
    ...(request.token !== undefined && { token: request.token }),
    ...(text !== undefined && method === 'POST' && { body: text }),
  })
  const { date: _date, 'apigw-requestid': _id, ...constant } = headers
  return { status, text: bytes, headers: constant }
}

const on = (organizationId: string) => `organization_id=${organizationId}`

/** Sends all four operations, one after the other, and answers their statuses. */
async function statuses(token: string, organizationId: string): Promise<Record<string, number>> {
  const answers: [string, number][] = []
  for (const [name, operation] of everyOperation) {
    answers.push([name, (await send(operation, on(organizationId), { token })).status])
  }
  return Object.fromEntries(answers)
}

async function startWatch(): Promise<void> {
  bed.stack.dynamoDb.reset()
  await bed.stack.emulator.clearRequests()
}

/** Nothing was written and no gateway called since `startWatch`. */
async function expectUntouched(): Promise<void> {
  expect(bed.stack.writes()).toEqual([])
  expect(await bed.stack.emulator.requests()).toEqual([])
}

async function setRole(user: DemoUser, organizationId: string, role: string | null): Promise<void> {
  const body = { user_id: bed.stack.client.info.demo[user].id, organization_id: organizationId, role }
  const { status } = await bed.stack.client.send({ method: 'POST', path: '/_local/memberships', body })
  expect(status).toBe(200)
}

// An organization without a card or subscription: who may buy is told that a card is missing, who may cancel that nothing is there.
const mayWrite = { checkout: 402, 'setup-intent': 200, cancel: 404, entitlements: 200 }
const mayRead = { checkout: 403, 'setup-intent': 403, cancel: 403, entitlements: 200 }
const notThere = { checkout: 404, 'setup-intent': 404, cancel: 404, entitlements: 404 }

const expected = {
  own: { owner: mayWrite, billing_admin: mayWrite, member: mayRead, stranger: notThere },
  second: { owner: mayWrite, billing_admin: notThere, member: notThere, stranger: notThere },
  other: { owner: notThere, billing_admin: notThere, member: notThere, stranger: mayWrite },
  unknown: { owner: notThere, billing_admin: notThere, member: notThere, stranger: notThere },
  nil: { owner: notThere, billing_admin: notThere, member: notThere, stranger: notThere },
} as const

type Place = keyof typeof expected
const places: readonly Place[] = ['own', 'second', 'other', 'unknown', 'nil']
const users: readonly DemoUser[] = ['owner', 'billing_admin', 'member', 'stranger']

function organization(place: Place): string {
  const { demo } = bed.stack.client.info
  return {
    own: demo.organization_id,
    second: demo.second_organization_id,
    other: demo.other_organization_id,
    unknown: randomUUID(),
    nil: '00000000-0000-0000-0000-000000000000',
  }[place]
}

describe('The billing operations', () => {
  describe.each(places)('Given the organization: %s', (place) => {
    it.each(users)('answer to %s what the role allows', async (user) => {
      const { stack } = bed
      const token = await stack.token(user)
      const organizationId = organization(place)
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(expected[place][user])
      if (expected[place][user] !== mayWrite) await expectUntouched()
    })
  })

  describe('Given an organization that is unknown, and one of somebody else', () => {
    it.each(everyOperation)('%s answers the same bytes and headers for both', async (_, operation) => {
      const { stack } = bed
      const token = await stack.token('owner')
      const foreign = await send(operation, on(organization('other')), { token })
      expect(foreign).toEqual({
        status: 404,
        text: '{"detail":"Organization not found"}',
        headers: expect.objectContaining({ 'content-type': 'application/json', 'cache-control': 'no-store' }),
      })
      for (const place of ['unknown', 'nil'] as const) {
        expect(await send(operation, on(organization(place)), { token })).toEqual(foreign)
      }
    })

    it('answer 404 for the one of somebody else though a live subscription stands there', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await stack.checkout(organizationId, ['base_ota'])
      await stack.emulator.flush()
      const token = await stack.token('stranger')
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(notThere)
      await expectUntouched()
      expect((await stack.subscriptions(organizationId)).map(({ status }) => status)).toEqual(['active'])
    })
  })

  describe('Given a member without the role', () => {
    it('answer 403 whatever stands there', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await stack.checkout(organizationId, ['base_ota'])
      await stack.emulator.flush()
      const token = await stack.token('member')
      await startWatch()
      const answers = await Promise.all(
        everyOperation.slice(0, 3).map(([, operation]) => send(operation, on(organizationId), { token })),
      )
      expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([403, '{"detail":"Forbidden"}']))
      await expectUntouched()
    })
  })

  describe('Given a request that is also ill-formed', () => {
    it.each(everyOperation)('%s answers 401 before 422, and 422 before 404 and 403', async (_, operation) => {
      const { stack } = bed
      const [stranger, member] = [await stack.token('stranger'), await stack.token('member')]
      await startWatch()
      expect((await send(operation, 'organization_id=x', { text: '{' })).status).toBe(401)
      expect((await send(operation, 'organization_id=x', { token: stranger })).status).toBe(422)
      expect((await send(operation, 'organization_id=x', { token: member })).status).toBe(422)
      if (operation.body !== undefined) {
        expect((await send(operation, on(organization('own')), { token: stranger, text: '{}' })).status).toBe(422)
        expect((await send(operation, on(organization('own')), { token: member, text: '{}' })).status).toBe(422)
      }
      await expectUntouched()
    })
  })

  describe('Given no token that is valid', () => {
    const bad: [string, (token: string) => Record<string, string>][] = [
      ['no token', () => ({})],
      ['an empty one', () => ({ authorization: 'Bearer ' })],
      ['nonsense', () => ({ authorization: 'Bearer nonsense' })],
      ['another scheme', (token) => ({ authorization: `Basic ${token}` })],
      ['two tokens', (token) => ({ authorization: `Bearer ${token} ${token}` })],
      ['a changed signature', (token) => ({ authorization: `Bearer ${token.slice(0, -8)}AAAAAAAA` })],
      ['a changed subject', (token) => ({ authorization: `Bearer ${withSubject(token, 'billing_admin')}` })],
      ['no signature', (token) => ({ authorization: `Bearer ${unsigned(token)}` })],
      ['a cookie', (token) => ({ cookie: `access_token=${token}` })],
    ]

    it.each(bad)('answer 401 and how to authenticate to %s', async (_, headersOf) => {
      const token = await bed.stack.token()
      await startWatch()
      for (const [, operation] of everyOperation) {
        const answer = await send(operation, `${on(organization('own'))}&access_token=${token}`, {
          headers: headersOf(token),
        })
        expect([answer.status, answer.text]).toEqual([401, '{"detail":"Unauthorized"}'])
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer\b/)
        expect(answer.headers['cache-control']).toBe('no-store')
      }
      expect(bed.stack.dynamoDb.calls()).toEqual([])
      await expectUntouched()
    })

    it('answer 401 to a token of 15 minutes ago, and not before', async () => {
      const { stack } = bed
      const token = await stack.token()
      await stack.emulator.advance(890)
      expect(await statuses(token, organization('own'))).toEqual(mayWrite)
      await stack.emulator.advance(11)
      await startWatch()
      expect(new Set(Object.values(await statuses(token, organization('own'))))).toEqual(new Set([401]))
      await expectUntouched()
    })
  })

  describe('Given a role that changes while a token lives', () => {
    it('follow it at once', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      const token = await stack.token('billing_admin')
      expect(await statuses(token, organizationId)).toEqual(mayWrite)

      await setRole('billing_admin', organizationId, 'member')
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(mayRead)
      await expectUntouched()

      await setRole('billing_admin', organizationId, null)
      await startWatch()
      expect(await statuses(token, organizationId)).toEqual(notThere)
      await expectUntouched()

      await setRole('billing_admin', organizationId, 'owner')
      expect(await statuses(token, organizationId)).toEqual(mayWrite)
    })
  })
})

function withSubject(token: string, user: DemoUser): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const changed = { ...claims, sub: bed.stack.client.info.demo[user].id }
  return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ typ: 'at+jwt', alg: 'none' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}
