import { describe, expect, it } from '@jest/globals'
import { useApiClients } from '../../organizations/apiClients/useApiClients.ts'

const { bed, send, open } = useApiClients()
const details = (organizationId: string) => `/api/billing/details?organization_id=${organizationId}`

describe('PATCH /api/billing/details by an API client, which has no sign-in', () => {
  it('answers 403 to where invoices go, and writes and calls nothing', async () => {
    const { organizationId, token } = await open(['billing:write'])
    await bed.stack.emulator.flush()
    bed.stack.dynamoDb.reset()
    await bed.stack.emulator.clearRequests()
    const { status, body: answer } = await send(
      'PATCH',
      details(organizationId),
      { token },
      {
        email: 'billing@example.com',
      },
    )
    expect([status, answer]).toMatchObject([403, { code: 'forbidden' }])
    expect(bed.stack.writes()).toEqual([])
    expect(await bed.stack.emulator.requests()).toEqual([])
  })

  it('serves what asks for no recent sign-in', async () => {
    const { organizationId, token } = await open(['billing:write'])
    expect(await send('PATCH', details(organizationId), { token }, { name: 'Example' })).toMatchObject({ status: 200 })
  })
})
