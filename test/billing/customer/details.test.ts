import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { customerOf, customersOf, storedAccount } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { detailsOn } from './detailsCalls.ts'

const bed = useCleanStack()

const { send, patch, taxIdsOf } = detailsOn(bed)

const get = (organizationId: string, headers = {}) => send('GET', organizationId, undefined, headers)

const address = { line1: 'Torstrasse 1', line2: null, city: 'Berlin', state: null, postal_code: '10119', country: 'DE' }
const vat = { type: 'eu_vat', value: 'DE123456789' }

const refusal = z.object({ detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })) })
const problemsOf = (body: unknown) => refusal.parse(body).detail

const writesSent = async () =>
  (await bed.stack.emulator.requests())
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`)

describe('GET /api/billing/details', () => {
  it('answers the name of an organization without a customer and nothing else, and creates none', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const { status, body } = await get(organizationId)
    expect(status).toBe(200)
    expect(body).toEqual({
      name: expect.any(String),
      email: null,
      address: null,
      tax_id: null,
      gateway: 'card',
      currency: 'usd',
    })
    expect(await customersOf(bed.stack, organizationId)).toEqual([])
    expect(await storedAccount(bed.stack, organizationId)).toMatchObject({ name: body.name })
  })

  it('answers what the gateway has, its ETag, and 304 to who has it already', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    const first = await get(organizationId)
    expect(first.body).toMatchObject({ email: 'owner@example.com', address: null, tax_id: null, currency: 'usd' })
    expect(await get(organizationId, { 'if-none-match': first.etag })).toMatchObject({ status: 304, body: null })
  })

  it('answers 503 while the gateway is unavailable, and 200 without a customer once it was deleted there', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.emulator.fault({ method: 'GET', path: '/v1/customers/*', kind: 'status', status: 503, times: 2 })
    expect(await get(organizationId)).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } })
    await stack.emulator.webhooks('hold')
    await stack.stripe.customers.del(await customerOf(stack, organizationId))
    expect(await get(organizationId)).toMatchObject({ status: 200, body: { email: null } })
  })
})

describe('PATCH /api/billing/details', () => {
  it('creates the customer of an organization without one, and changes what is named alone', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const changed = await patch(organizationId, { name: 'Example GmbH', address })
    const details = {
      name: 'Example GmbH',
      email: 'owner@example.com',
      address,
      tax_id: null,
      gateway: 'card',
      currency: 'usd',
    }
    expect(changed).toMatchObject({ status: 200, body: details })
    expect(await get(organizationId)).toEqual({ status: 200, etag: changed.etag, body: details })
    expect(await storedAccount(bed.stack, organizationId)).not.toHaveProperty('custRequest')
    const cleared = await patch(organizationId, { address: null, email: 'billing@example.com' })
    expect(cleared.body).toEqual({ ...details, address: null, email: 'billing@example.com' })
  })

  it('replaces an address as a whole', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    await patch(organizationId, { address })
    const { body } = await patch(organizationId, { address: { line1: '1 Main Street', country: 'US' } })
    expect(body.address).toEqual({
      line1: '1 Main Street',
      line2: null,
      city: null,
      state: null,
      postal_code: null,
      country: 'US',
    })
  })

  it('replaces a tax id by the new one alone, and sent again writes nothing', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    expect((await patch(organizationId, { tax_id: vat })).body.tax_id).toEqual(vat)
    const other = { type: 'eu_vat', value: 'FRAB123456789' }
    expect((await patch(organizationId, { tax_id: other })).body.tax_id).toEqual(other)
    expect(await taxIdsOf(stack, organizationId)).toEqual([other.value])
    await stack.emulator.clearRequests()
    expect((await patch(organizationId, { tax_id: other })).status).toBe(200)
    expect(await writesSent()).toEqual([])
    expect((await patch(organizationId, { tax_id: null })).body.tax_id).toBeNull()
    expect(await taxIdsOf(stack, organizationId)).toEqual([])
  })

  // [catch customers.attempt]
  it.each([
    [{ name: 'Other', tax_id: { type: 'eu_vat', value: 'DE12' } }, ['body', 'tax_id', 'value']],
    // Stripe takes fewer addresses than are valid.
    [{ email: 'billing@example.com', address: { ...address, country: 'DE' } }, undefined],
  ])('answers 422 at the field that the gateway does not accept, and changes nothing (%j)', async (body, loc) => {
    const { organizationId } = await bed.stack.organizationWithCard()
    const before = await get(organizationId)
    if (loc === undefined) {
      await bed.stack.emulator.fault({
        method: 'POST',
        path: '/v1/customers/*',
        kind: 'status',
        status: 400,
        body: { error: { type: 'invalid_request_error', code: 'email_invalid', param: 'email', message: 'Invalid' } },
      })
    }
    const refused = await patch(organizationId, body)
    expect(refused.status).toBe(422)
    expect(problemsOf(refused.body)).toEqual([
      {
        loc: loc ?? ['body', 'email'],
        msg: 'Value error, the payment gateway does not accept this value',
        type: 'value_error',
      },
    ])
    expect(await get(organizationId)).toEqual(before)
  })

  it('takes a new tax id back where the rest is refused', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await patch(organizationId, { tax_id: vat })
    const error = { type: 'invalid_request_error', param: 'name', message: 'Invalid' }
    const path = `/v1/customers/${await customerOf(stack, organizationId)}`
    await stack.emulator.fault({ method: 'POST', path, kind: 'status', status: 400, body: { error } })
    const refused = await patch(organizationId, { name: 'Other', tax_id: { type: 'gb_vat', value: 'GB123456789' } })
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'name'] }] } })
    expect(await taxIdsOf(stack, organizationId)).toEqual([vat.value])
  })

  it('changes only what the caller has seen, where If-Match says so', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const { etag } = await get(organizationId)
    const outdated = await patch(organizationId, { name: 'Other' }, { 'if-match': '"another"' })
    expect(outdated).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    expect(await customersOf(bed.stack, organizationId)).toEqual([])
    const changed = await patch(organizationId, { name: 'Other' }, { 'if-match': etag })
    expect(changed.status).toBe(200)
    expect((await patch(organizationId, { name: 'Third' }, { 'if-match': etag })).status).toBe(412)
    expect((await patch(organizationId, { name: 'Third' }, { 'if-match': changed.etag })).status).toBe(200)
  })

  it('answers 502 where the customer was deleted at the gateway, and creates a new one when sent again', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    await stack.stripe.customers.del(await customerOf(stack, organizationId))
    expect((await patch(organizationId, { address })).status).toBe(502)
    expect(await patch(organizationId, { address })).toMatchObject({ status: 200, body: { address } })
  })

  it('answers every problem of a body at once, and calls no gateway', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    await bed.stack.emulator.clearRequests()
    const body = {
      name: null,
      email: 'nobody',
      address: { line1: 'a'.repeat(201), country: 'XX', zip: '1' },
      tax_id: { type: 'zz_vat', value: '' },
      gateway: 'invoice',
    }
    const { status, body: answer } = await patch(organizationId, body)
    expect(status).toBe(422)
    expect(problemsOf(answer).map(({ loc, type }) => [loc.join('.'), type])).toEqual([
      ['body.name', 'string_type'],
      ['body.email', 'value_error'],
      ['body.address.line1', 'string_too_long'],
      ['body.address.country', 'value_error'],
      ['body.tax_id.type', 'enum'],
      ['body.tax_id.value', 'string_too_short'],
      ['body.address.zip', 'extra_forbidden'],
      ['body.gateway', 'extra_forbidden'],
    ])
    expect((await patch(organizationId, {})).status).toBe(200)
    expect(await writesSent()).toEqual([])
  })
})
