import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { apiClient } from '../../../infra/local/samples/sampleApiClient.ts'
import { createOrganizationThrottles } from '../../../lib/adapters/dynamodb/organizationThrottleStore.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { peopleOf } from '../../organizations/members/people.ts'
import { tenantOperations } from '../../organizations/members/tenantOperations.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { commandOn } from '../../support/hostedCommands.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate', 'throttle')
const { team } = peopleOf(bed)
const operations = await tenantOperations()
const tooMany = errorBody('Too many requests', 'rate_limited')

/** Advances the clock to the beginning of a window, so that what follows is in it. */
async function nextWindow() {
  const now = await bed.stack.emulator.now()
  await bed.stack.emulator.advance(60 - (Math.floor(now) % 60))
}

/** A new organization of the demo's owner, with requests as that user, and as an API client of it. */
async function organizationWithCallers() {
  const { client } = bed.stack
  const organizationId = await client.newOrganization()
  const { client_id, client_secret } = await apiClient(client, organizationId)
  const body = { client_id, client_secret, grant_type: 'client_credentials' }
  const granted = await client.send({ method: 'POST', path: '/api/oauth/token', body })
  const { access_token } = granted.body as { access_token: string }
  const own = await bed.stack.token()
  const entitlements = (token: string) =>
    bed.stack.wire({ method: 'GET', path: `/api/billing/entitlements?organization_id=${organizationId}`, token })
  return { organizationId, asUser: () => entitlements(own), asClient: () => entitlements(access_token) }
}

describe('npm run operate -- throttle', () => {
  it('limits users and API clients of an organization together, and nobody else, until it lapses', async () => {
    const { stack } = bed
    const { organizationId, asUser, asClient } = await organizationWithCallers()
    const another = await organizationWithCallers()
    const actions = async () =>
      (await stack.auditEntries(organizationId)).flatMap(({ action, actor, detail }) =>
        action.startsWith('organization.throttle') ? [[action, actor.type, detail]] : [],
      )

    const dry = await operate(organizationId, '--requests-per-minute', '2', '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('would be changed: not throttled -> 2 req') })
    expect(await actions()).toEqual([])
    await nextWindow()
    const wet = await operate(organizationId, '--requests-per-minute', '2', '--for', '5m')
    expect(wet).toMatchObject({ code: 0, output: expect.stringContaining('was changed: not throttled -> 2 requests') })
    expect(wet.output).toContain('Organization throttled by an operator')

    expect([await asUser(), await asClient()].map(({ status }) => status)).toEqual([200, 200])
    stack.dynamoDb.reset()
    const refused = await asUser()
    expect(refused).toMatchObject({ status: 429, body: tooMany })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    // The limit came with what the request reads anyway; only its count is a call more.
    expect(stack.dynamoDb.calls().map(({ operation }) => operation)).toEqual(['BatchGetItem', 'UpdateItem'])
    expect((await asClient()).status).toBe(429)
    expect((await another.asUser()).status).toBe(200)

    await nextWindow()
    expect((await asUser()).status).toBe(200)
    await stack.emulator.advance(5 * 60)
    stack.dynamoDb.reset()
    for (const send of [asUser, asUser, asUser]) expect((await send()).status).toBe(200)
    expect(stack.writes()).toEqual([])
    expect((await operate(organizationId, '--lift')).output).toContain('nothing to do')
    const limited = { requests_per_minute: 2, until: expect.stringMatching(/^2.*Z$/) }
    expect(await actions()).toEqual([['organization.throttled', 'operator', limited]])
  })

  it('is lifted by --lift, and serves requests that cannot be counted', async () => {
    const { stack } = bed
    const { organizationId, asUser } = await organizationWithCallers()
    await nextWindow()
    await operate(organizationId, '--requests-per-minute', '1')
    expect((await asUser()).status).toBe(200)
    stack.dynamoDb.reset()
    stack.dynamoDb.fail({ operation: 'UpdateItem', times: 3, kind: 'drop_before' })
    expect((await asUser()).status).toBe(200)
    stack.dynamoDb.reset()
    expect((await asUser()).status).toBe(429)
    const lifted = await operate(organizationId, '--lift')
    expect(lifted).toMatchObject({ code: 0, output: expect.stringMatching(/1 requests a minute until .* -> not thro/) })
    expect((await asUser()).status).toBe(200)
  })

  it('throttles no organization that was erased meanwhile', async () => {
    const { audit_log: auditLog, ...tables } = bed.stack.client.info.tables
    const throttles = createOrganizationThrottles(bed.stack.documents, { ...tables, auditLog })
    const organizationId = organizationIdSchema.parse('11111111-2222-4333-8444-555555555555')
    const detail = { requests_per_minute: 1, until: '2026-11-21T00:00:00Z' }
    const by = { actor: { type: 'operator', id: null }, action: 'organization.throttled', detail } as const
    const entry = { ...by, organizationId, id: randomUUID(), at: Date.now(), target: organizationId }
    expect(await throttles.set(organizationId, { requestsPerMinute: 1, until: 0 }, entry)).toBe('conflict')
    expect(await bed.stack.auditEntries(organizationId)).toEqual([])
  })

  it.each([
    [['11111111-2222-4333-8444-555555555555', '--lift'], 2, 'there is no such organization'],
    [['11111111-2222-4333-8444-555555555555'], 1, '--requests-per-minute N or --lift'],
    [['11111111-2222-4333-8444-555555555555', '--lift', '--requests-per-minute', '2'], 1, 'N or --lift'],
    [['11111111-2222-4333-8444-555555555555', '--requests-per-minute', '0'], 1, 'a number from 1'],
    [['11111111-2222-4333-8444-555555555555', '--requests-per-minute', '5', '--for', '31d'], 1, '30 days at most'],
    [['11111111-2222-4333-8444-555555555555', '--lift', '--days', '3'], 1, '--days is of gateway alone'],
  ])('exits with what is wrong with %j', async (args, code, output) => {
    expect(await operate(...args)).toEqual({ code, output: expect.stringContaining(output) })
  })
})

describe('An organization that is throttled', () => {
  let shared: Awaited<ReturnType<typeof team>>
  beforeAll(async () => {
    shared = await team()
    await operate(shared.id, '--requests-per-minute', '1', '--for', '30d')
    await nextWindow()
    await shared.owner.call('GET', `/api/organizations/${shared.id}`)
  })

  it.each(operations)('answers 429 to $name, and changes nothing', async ({ call }) => {
    const { owner, member, id } = shared
    expect(await call(owner, id, member.id)).toMatchObject({ status: 429 })
  })

  it('answers strangers as before, and does not count them', async () => {
    const { stranger, owner, id } = shared
    await nextWindow()
    for (let n = 0; n < 3; n += 1) {
      expect((await stranger.call('GET', `/api/organizations/${id}`)).status).toBe(404)
    }
    expect((await owner.call('GET', `/api/organizations/${id}`)).status).toBe(200)
  })
})
