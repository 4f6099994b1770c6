import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import type { ServiceIdentity } from '../../../lib/core/identity.ts'
import { serviceClientIdOf } from '../../../lib/core/ids.ts'
import type { RateWindow } from '../../../lib/core/rateLimits.ts'
import { protectedEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { call, fakeDeps, identity, signedIn } from '../call.ts'

const limit = { functionName: 'billing-entitlements', requests: 120, windowSeconds: 60, failMode: 'open' } as const
const contract = { scope: 'entitlements:read', forServiceClients: true, responses: { 200: z.unknown() } } as const
const service: ServiceIdentity = {
  serviceClientId: serviceClientIdOf('7c41d9e2-5b3f-4a08-96d1-e0f2a3b4c5d6'),
  securityRev: 0,
  familyId: identity.familyId,
  scope: 'entitlements:read',
  isFirstParty: false,
}

/** The window that a request of this caller is counted in, and how many it admits. */
async function countedFor(caller: typeof identity | ServiceIdentity) {
  const counted: [RateWindow, number][] = []
  const admit = async (window: RateWindow, requests: number) => requests - counted.push([window, requests])
  const { deps } = fakeDeps()
  const accessTokens = { verify: async () => caller }
  const rateLimit = { limit, rateLimits: { admit } }
  const handler = protectedEndpoint(contract, { ...deps, accessTokens, rateLimit }, async () => ({
    status: 200,
    body: {},
  }))
  expect((await call(handler, { headers: signedIn })).status).toBe(200)
  return counted.map(([{ principal, startsAt, endsAt }, requests]) => [principal, endsAt - startsAt, requests])
}

describe('A service client', () => {
  it('is admitted 600 times a minute by each operation, whatever the limit of users is', async () => {
    expect(await countedFor(identity)).toEqual([[identity.userId, 60, 120]])
    expect(await countedFor(service)).toEqual([[service.serviceClientId, 60, 600]])
  })
})
