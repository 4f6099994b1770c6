import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { localClient } from '../../../infra/local/localClient.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { type ApiRoad, openApiRoad, type ProductServer, startProductServer } from './productServers.ts'
import { isInstalled } from './quickStarts.ts'

const stack = await openLocalStack()
const local = localClient(stack.info)

const TOKEN = 'POST /api/oauth/token 200'
const entitlements = (status: number) => `GET /api/billing/entitlements ${status}`

describe.each([
  ['js', 'node', '--version'],
  ['go', 'go', 'version'],
] as const)('The guide’s product server in %s', (language, program, version) => {
  const isPlayed = isInstalled(program, version)
  let road: ApiRoad
  let server: ProductServer
  beforeAll(async () => {
    if (!isPlayed) return
    road = await openApiRoad(local)
    server = await startProductServer(language, local, road.url)
  }, 300_000)
  afterAll(async () => {
    if (!isPlayed) return
    await server.close()
    road.server.close()
  })

  it('serves an organization that has bought, polls by ETag, and serves while the API is away', async () => {
    if (!isPlayed) return
    const organizationId = await local.newOrganization()
    const token = await local.accessToken('owner')
    expect(await server.visit(organizationId)).toBe(402)
    const payment_method_id = await local.addCard({ token, organizationId, testCard: 'pm_card_visa' })
    const path = `/api/billing/checkout?organization_id=${organizationId}`
    const body = { product_codes: ['base_ota'], payment_method_id }
    expect((await local.send({ method: 'POST', path, token, body })).status).toBe(201)
    // The webhooks of the purchase change when the entitlement was updated.
    await local.deliverWebhooks()
    expect(await server.visit(organizationId)).toBe(200)
    expect(await server.visit(organizationId)).toBe(200)
    expect(road.asked).toEqual([TOKEN, entitlements(200), entitlements(200), entitlements(304)])
    road.status = 503
    expect(await server.visit(organizationId)).toBe(200)
    expect(await server.visit(stack.info.demo.other_organization_id)).toBeGreaterThanOrEqual(500)
    road.status = undefined
    expect(await server.visit(stack.info.demo.other_organization_id)).toBe(402)
    expect(await server.visit(randomUUID())).toBe(402)
    expect(road.asked.at(-1)).toBe(entitlements(404))
    road.status = 401
    expect(await server.visit(organizationId)).toBe(200)
    road.status = undefined
    expect(await server.visit(organizationId)).toBe(200)
    expect(road.asked.slice(-3)).toEqual([entitlements(401), TOKEN, entitlements(304)])
  })
})
