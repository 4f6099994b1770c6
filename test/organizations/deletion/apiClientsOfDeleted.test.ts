import { describe, expect, it } from '@jest/globals'
import { useApiClients } from '../apiClients/useApiClients.ts'
import { DAY, deletionBed } from './deletionBed.ts'

const { bed, send, requestToken, tokenOf, open } = useApiClients()
const { run, atRest } = deletionBed(bed)
const entitlements = (organizationId: string) => `/api/billing/entitlements?organization_id=${organizationId}`
const preview = { product_codes: ['base_ota'] }

describe('An API client of an organization that is being deleted', () => {
  it('reads as its members do, and buys as little as they; after the erasure it is unknown, and its tokens are refused', async () => {
    const { organizationId, client } = await open(['entitlements:read', 'billing:read', 'billing:write'])
    expect((await send('DELETE', `/api/organizations/${organizationId}`, 'owner')).status).toBe(202)
    const by = { token: await tokenOf(client) }
    expect((await send('GET', entitlements(organizationId), by)).status).toBe(200)
    const path = `/api/billing/checkout/preview?organization_id=${organizationId}`
    const [own, owners] = [await send('POST', path, by, preview), await send('POST', path, 'owner', preview)]
    expect(JSON.stringify(own.body)).toContain('organization_deleting')
    expect([own.status, own.body]).toEqual([owners.status, owners.body])

    await bed.stack.emulator.advance(30 * DAY - 600)
    const late = { token: await tokenOf(client) }
    await bed.stack.emulator.advance(605)
    expect((await send('GET', entitlements(organizationId), late)).status).toBe(200)
    await run()
    expect((await send('GET', entitlements(organizationId), late)).status).toBe(401)
    expect(await requestToken(client)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await atRest()).filter(({ pk }) => pk === `API_CLIENTS#${organizationId}`)).toEqual([])
  })
})
