import { createServer } from 'node:http'
import { afterAll, describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { DAY, deletionBed } from '../../organizations/deletion/deletionBed.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import { useEndpoints } from './useEndpoints.ts'

const { bed, send, open, itemOf } = useEndpoints()
const { run, atRest } = deletionBed(bed)

const received: { type: string }[] = []
const receiver = await listenOnLoopback(
  createServer(async (request, response) => {
    received.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')))
    response.end()
  }),
)
afterAll(() => receiver.close())

describe('The endpoints of an organization that is erased', () => {
  it('hear of it, and expire with their count after the last try', async () => {
    const { organizationId, endpoint } = await open({ url: receiver.url, event_types: ['organization.deleted'] })
    expect((await send('DELETE', `/api/organizations/${organizationId}`)).status).toBe(202)
    await bed.stack.emulator.advance(30 * DAY + 5)
    expect((await itemOf(organizationId, endpoint.id))?.expiresAt).toBeUndefined()
    await run()
    await runSchedule('events-relay')
    await runSchedule('events-deliver')
    expect(received.map(({ type }) => type)).toEqual(['organization.deleted'])
    const left = (await atRest()).filter(({ sk, pk }) => pk === `ORG#${organizationId}` && /^ENDPOINT/.test(String(sk)))
    expect(left.map(({ sk }) => sk)).toEqual([`ENDPOINT#${endpoint.id}`, 'ENDPOINTS'])
    const now = await bed.stack.emulator.now()
    for (const { expiresAt } of left) expect(Math.abs(Number(expiresAt) - now - 6 * DAY)).toBeLessThan(60)
  })
})
