import { describe, expect, it } from '@jest/globals'
import { openInvoiceOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'
import { DAY, deletionBed, secondsUntil } from './deletionBed.ts'

const bed = useBillingStack()
const { person, team, organizationOf, stored, mailsTo, tokenMailedTo } = peopleOf(bed)
const { run, runSchedule, atRest } = deletionBed(bed)

const isStored = async (text: string) => (await atRest()).some((item) => JSON.stringify(item).includes(text))
const actions = async (id: string) => (await bed.stack.auditEntries(id)).map(({ action }) => action)

async function accountItem(id: string) {
  const item = (await bed.stack.items()).find(({ pk, sk }) => pk === `ORG#${id}` && sk === 'ACCOUNT')
  if (!item) throw new Error('The organization was created')
  return item
}

/** Past the end of the grace, with the run of that day. */
async function endGrace() {
  await bed.stack.emulator.advance(30 * DAY + 5)
  return run()
}

describe('DELETE /api/organizations/{organization_id}', () => {
  it('answers 202 with the day of the erasure, the same again, and mails every owner once', async () => {
    const { owner, path, id } = await team()
    const answer = await owner.call('DELETE', path)
    expect(answer.status).toBe(202)
    expect(Math.abs(secondsUntil(answer.body, await bed.stack.emulator.now()) - 30 * DAY)).toBeLessThan(60)
    expect(await owner.call('DELETE', path)).toMatchObject({ status: 202, text: answer.text })
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toEqual(['“Acme” will be deleted'])
    expect(await owner.call('GET', path)).toMatchObject({ status: 200, body: answer.body })
    expect(await actions(id)).toEqual(['organization.created', 'organization.deletion_scheduled'])
  })

  it('answers 409 with the products that are in the way, and plans nothing', async () => {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    await bed.stack.checkout(organizationId, ['base_ota'], { card })
    const send = async (method: string, path: string) =>
      bed.stack.client.send({ method: method === 'GET' ? 'GET' : 'DELETE', path, token: await bed.stack.token() })
    const path = `/api/organizations/${organizationId}`
    expect(await send('DELETE', path)).toMatchObject({
      status: 409,
      body: { code: 'organization_subscribed', products: ['ota'] },
    })
    expect((await send('GET', path)).body).toHaveProperty('deletion_at', null)
  })

  it('answers 409 with the invoices that are owed, and 503 where the gateway does not say', async () => {
    const organizationId = await openInvoiceOrganization(bed.stack.client)
    await bed.stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    const [{ customer } = { customer: '' }] = await bed.stack.subscriptions(organizationId)
    const [owed] = (await bed.stack.stripe.invoices.list({ customer: String(customer) })).data
    const path = `/api/organizations/${organizationId}`
    const remove = async () => bed.stack.client.send({ method: 'DELETE', path, token: await bed.stack.token() })
    await bed.stack.emulator.flush()
    await bed.stack.emulator.fault({ method: 'GET', path: '/v1/invoices', kind: 'drop_before', times: 2 })
    expect(await remove()).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } })
    const refused = await remove()
    expect(refused).toMatchObject({ status: 409, body: { code: 'organization_owes', invoices: [owed?.id] } })
    expect(refused.body).not.toHaveProperty('products')
    // It owes whichever gateway serves it now.
    await bed.stack.putItem({ ...(await accountItem(organizationId)), gateway: 'card' })
    expect(await remove()).toMatchObject({ status: 409, body: { invoices: [owed?.id] } })
    await bed.stack.stripe.invoices.pay(owed?.id ?? '', { paid_out_of_band: true })
    expect(await remove()).toMatchObject({ status: 202 })
  })

  it('keeps an account whose organization owes, and deletes both once it is paid', async () => {
    const who = await person()
    const id = await organizationOf(who, 'Owing')
    const { stripe } = bed.stack
    const details = { line1: '1 Main Street', city: 'Berlin', postal_code: '10115', country: 'DE' }
    expect(await who.call('PATCH', `/api/billing/details?organization_id=${id}`, { address: details })).toMatchObject({
      status: 200,
    })
    await bed.stack.putItem({ ...(await accountItem(id)), gateway: 'invoice', daysUntilDue: 30 })
    const cart = { product_codes: ['base_ota'] }
    expect((await who.call('POST', `/api/billing/checkout?organization_id=${id}`, cart)).status).toBe(201)
    const [sold] = await bed.stack.subscriptions(id)
    const invoice = String(sold?.latest_invoice)
    await stripe.invoices.finalizeInvoice(invoice)
    const cancel = { product: 'ota', at_period_end: false }
    expect((await who.call('POST', `/api/billing/cancel?organization_id=${id}`, cancel)).status).toBe(200)
    expect(await who.call('DELETE', '/api/users/me')).toMatchObject({
      status: 409,
      body: { code: 'organization_owes', invoices: [invoice] },
    })
    await stripe.invoices.pay(invoice, { paid_out_of_band: true })
    expect((await who.call('DELETE', '/api/users/me')).status).toBe(202)
  })

  it('sells nothing and admits no one from then on, and reads answer', async () => {
    const { owner, path, id } = await team()
    const [guest, late] = [await person(), await person()]
    await owner.call('POST', `${path}/invitations`, { email: guest.email, role: 'member' })
    const token = await tokenMailedTo(guest.email)
    await owner.call('DELETE', path)
    const query = `organization_id=${id}`
    const cart = { product_codes: ['base_ota'] }
    expect(await owner.call('POST', `/api/billing/checkout?${query}`, cart)).toMatchObject({
      status: 409,
      body: [{ ok: false, error: 'organization_deleting' }],
    })
    expect(await owner.call('POST', `/api/billing/checkout/preview?${query}`, cart)).toMatchObject({
      status: 200,
      body: { lines: [{ ok: false, error: 'organization_deleting' }], total: 0 },
    })
    const deleting = { status: 409, body: { code: 'organization_deleting' } }
    expect(await owner.call('POST', `/api/billing/card-gateway/setup-intent?${query}`)).toMatchObject(deleting)
    expect(await owner.call('PATCH', `/api/billing/details?${query}`, { name: 'Acme Ltd' })).toMatchObject(deleting)
    const invited = { email: late.email, role: 'member' }
    expect(await owner.call('POST', `${path}/invitations`, invited)).toMatchObject(deleting)
    expect(await guest.call('POST', '/api/organizations/invitations/accept', { token })).toMatchObject({
      status: 400,
      body: { code: 'invitation_invalid' },
    })
    for (const what of ['entitlements', 'subscriptions', 'invoices']) {
      expect((await owner.call('GET', `/api/billing/${what}?${query}`)).status).toBe(200)
    }
  })
})

describe('POST /api/organizations/{organization_id}/restore', () => {
  it('takes the deletion back, answers the same again, and is for owners', async () => {
    const { owner, member, path, id } = await team()
    const before = await owner.call('GET', path)
    await owner.call('DELETE', path)
    expect((await member.call('POST', `${path}/restore`)).status).toBe(403)
    expect(await owner.call('POST', `${path}/restore`)).toMatchObject({ status: 200, text: before.text })
    expect(await owner.call('POST', `${path}/restore`)).toMatchObject({ status: 200, text: before.text })
    await endGrace()
    await owner.signIn()
    expect(await owner.call('GET', path)).toMatchObject({ status: 200, text: before.text })
    expect(await actions(id)).toEqual([
      'organization.created',
      'organization.deletion_scheduled',
      'organization.restored',
    ])
  })
})

describe('The erasure of an organization', () => {
  it('deletes the customer at the gateway, members, invitations, name and details; slots and entries keep ids', async () => {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    await bed.stack.checkout(organizationId, ['base_ota'], { card })
    await bed.stack.post('/api/billing/cancel', organizationId, { product: 'ota', at_period_end: false })
    await bed.stack.emulator.flush()
    const token = await bed.stack.token()
    const path = `/api/organizations/${organizationId}`
    const invited = { email: 'guest-of-erased@example.com', role: 'member' }
    await bed.stack.client.send({ method: 'POST', path: `${path}/invitations`, token, body: invited })
    expect((await bed.stack.client.send({ method: 'DELETE', path, token })).status).toBe(202)
    const [{ customer } = { customer: '' }] = await bed.stack.subscriptions(organizationId)
    await runSchedule('billing-mails')
    await endGrace()
    await bed.stack.emulator.flush()
    await runSchedule('events-relay')
    const items = (await atRest()).filter((item) => JSON.stringify(item).includes(organizationId))
    const kinds = items.map(({ sk, action }) => String(action ?? sk).replace(/#.*/, ''))
    // Events go after 30 days, and that they were announced, after 400.
    const kept = kinds.filter((kind) => !/^EVENT$|^(organization|member|subscription|payment_method)\./.test(kind))
    expect(new Set(kept)).toEqual(new Set(['SLOT', 'SEQUENCE', 'ONCE']))
    expect((await actions(organizationId)).at(-1)).toBe('organization.erased')
    expect(await isStored('guest-of-erased')).toBe(false)
    expect(await bed.stack.stripe.customers.retrieve(String(customer))).toMatchObject({ deleted: true })
    const invoices = await bed.stack.stripe.invoices.list({ customer: String(customer) })
    expect(invoices.data.length).toBeGreaterThan(0)
    expect((await bed.stack.client.send({ method: 'GET', path, token: await bed.stack.token() })).status).toBe(404)
    const [mail] = await mailsTo(bed.stack.client.info.demo.owner.email)
    expect(mail?.subject).toContain('was deleted')
  })

  // [catch eraseDue.eraseDue]
  it('keeps an organization whose customer got a subscription by hand: deleting the customer would cancel it', async () => {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    await bed.stack.checkout(organizationId, ['base_ota'], { card })
    await bed.stack.post('/api/billing/cancel', organizationId, { product: 'ota', at_period_end: false })
    await bed.stack.emulator.flush()
    const [subscription] = await bed.stack.subscriptions(organizationId)
    const price = subscription?.items.data[0]?.price.id ?? ''
    const path = `/api/organizations/${organizationId}`
    await bed.stack.client.send({ method: 'DELETE', path, token: await bed.stack.token() })
    const byHand = await bed.stack.stripe.subscriptions.create({
      customer: String(subscription?.customer),
      items: [{ price }],
      default_payment_method: card,
    })
    await expect(endGrace()).rejects.toThrow('a deletion failed')
    expect((await bed.stack.stripe.subscriptions.retrieve(byHand.id)).status).toBe('active')
    await bed.stack.stripe.subscriptions.cancel(byHand.id)
    await bed.stack.emulator.flush()
    await run()
    expect((await actions(organizationId)).at(-1)).toBe('organization.erased')
  })

  it('is done with that of the account of its only member', async () => {
    const who = await person()
    const id = await organizationOf(who, 'Mine alone')
    await who.call('DELETE', '/api/users/me')
    await endGrace()
    expect((await stored(id)).name).toBeUndefined()
    expect((await actions(id)).at(-1)).toBe('organization.erased')
  })

  it('reminds the owners three days before', async () => {
    const { owner, path } = await team()
    await owner.call('DELETE', path)
    await bed.stack.emulator.advance(27 * DAY + 5)
    await run()
    await run()
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toEqual([
      '“Acme” will be deleted soon',
      '“Acme” will be deleted',
    ])
  })
})
