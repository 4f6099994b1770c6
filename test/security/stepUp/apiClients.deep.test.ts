import { describe, expect, it } from '@jest/globals'
import { useApiClients } from '../../organizations/apiClients/useApiClients.ts'

const { bed, send, open } = useApiClients()
const details = (organizationId: string) => `/api/billing/details?organization_id=${organizationId}`

describe('PATCH /api/billing/details by an API client, which has no sign-in', () => {
  it('sets where invoices go before it buys, and its purchase sends receipts there', async () => {
    const { organizationId, token } = await open(['billing:write'])
    const email = 'billing@example.com'
    expect(await send('PATCH', details(organizationId), { token }, { email })).toMatchObject({
      status: 200,
      body: { email },
    })
    const card = await bed.stack.client.addCard({ token, organizationId, testCard: 'pm_card_visa' })
    const checkout = `/api/billing/checkout?organization_id=${organizationId}`
    const cart = { product_codes: ['base_ota'], payment_method_id: card }
    expect(await send('POST', checkout, { token }, cart)).toMatchObject({ status: 201 })
    const { data } = await bed.stack.stripe.invoices.list({ limit: 1 })
    expect(data).toMatchObject([{ customer_email: email }])
    const log = `/api/organizations/${organizationId}/audit-log?action=details.changed`
    expect(await send('GET', log, 'owner')).toMatchObject({ body: { entries: [{ actor: { type: 'client' } }] } })
  })

  it('needs the scope for it', async () => {
    const { organizationId, token } = await open(['billing:read'])
    expect(await send('PATCH', details(organizationId), { token }, { email: 'billing@example.com' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
  })

  it('serves what asks for no recent sign-in', async () => {
    const { organizationId, token } = await open(['billing:write'])
    expect(await send('PATCH', details(organizationId), { token }, { name: 'Example' })).toMatchObject({ status: 200 })
  })
})
