import { describe, expect, it } from '@jest/globals'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import type { StripeFault } from '../../support/emulator.ts'
import { failKms } from '../failKms.ts'
import { customerOf, customersOf, storedAccount, subscribedOrganization } from '../gatewayView.ts'
import { unavailable, useSetupIntents } from './useSetupIntents.ts'

const { bed, secretOf, setUp, setupIntentOf, expectBound } = useSetupIntents()

describe('POST /api/billing/card-gateway/setup-intent', () => {
  it('answers 200 with the secret of a SetupIntent for cards alone, for later use, on the organization’s customer', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const intent = await setupIntentOf(await setUp(organizationId))
    expect(intent).toMatchObject({
      allowed_payment_method_types: ['card'],
      payment_method_types: ['card'],
      automatic_payment_methods: null,
      usage: 'off_session',
      status: 'requires_payment_method',
    })
    await expectBound(organizationId, intent.customer)
  })

  it('creates a new SetupIntent each time, on the same customer', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    const first = await setupIntentOf(await setUp(organizationId))
    const second = await setupIntentOf(await setUp(organizationId, await bed.stack.token('billing_admin')))
    expect(second.id).not.toBe(first.id)
    expect(second.customer).toBe(first.customer)
    await expectBound(organizationId, first.customer)
  })

  it.each([
    ['member', 403],
    ['stranger', 404],
  ] as const)('answers a %s with %i, and creates nothing', async (user, status) => {
    const organizationId = await bed.stack.client.newOrganization()
    const token = await bed.stack.token(user)
    await bed.stack.emulator.clearRequests()
    expect((await setUp(organizationId, token)).status).toBe(status)
    expect(await bed.stack.emulator.requests()).toEqual([])
  })

  describe('Given an Idempotency-Key', () => {
    it('answers the same secret for 24 h, which is not stored, and another one to any other key, user and organization', async () => {
      const { stack } = bed
      const [here, there] = [await stack.client.newOrganization(), await stack.client.newOrganization()]
      const token = await stack.token()
      const secret = await secretOf(setUp(here, token, 'k'))
      stack.dynamoDb.reset()
      expect(await secretOf(setUp(here, token, 'k'))).toBe(secret)
      expect(stack.writes()).toEqual([])
      expect(JSON.stringify(await stack.items())).not.toContain(secret)
      const others = [
        await secretOf(setUp(here, token, 'l')),
        await secretOf(setUp(here, await stack.token('billing_admin'), 'k')),
        await secretOf(setUp(there, token, 'k')),
        await secretOf(setUp(here, token)),
      ]
      await stack.emulator.advance(24 * 3600)
      others.push(await secretOf(setUp(here, undefined, 'k')))
      expect(new Set([secret, ...others]).size).toBe(6)
    })

    it('answers a secret although the gateway keeps a failure under the key, and for another customer', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const path = '/v1/setup_intents'
      await stack.emulator.fault({ method: 'POST', path, kind: 'status', status: 500, saved: true })
      const intent = await setupIntentOf(await setUp(organizationId, undefined, 'k'))
      expect((await setupIntentOf(await setUp(organizationId, undefined, 'k'))).id).toBe(intent.id)
      await stack.emulator.webhooks('hold')
      await stack.stripe.customers.del(String(intent.customer))
      await stack.emulator.flush()
      const next = await setupIntentOf(await setUp(organizationId, undefined, 'k'))
      expect(next.customer).not.toBe(intent.customer)
    })

    it('answers 422 to a key that is too long, and calls no gateway', async () => {
      const organizationId = await bed.stack.client.newOrganization()
      const token = await bed.stack.token()
      await bed.stack.emulator.clearRequests()
      expect((await setUp(organizationId, token, 'k'.repeat(256))).status).toBe(422)
      expect(await bed.stack.emulator.requests()).toEqual([])
    })
  })

  describe('Given an organization without a customer', () => {
    const lost = [
      ['the customer is not created', { path: '/v1/customers', kind: 'drop_before' }],
      ['the answer with the customer is lost', { path: '/v1/customers', kind: 'drop_after' }],
      ['the intent is not created', { path: '/v1/setup_intents', kind: 'drop_before' }],
      ['the answer with the intent is lost', { path: '/v1/setup_intents', kind: 'drop_after' }],
    ] as const

    it.each(lost)('answers 200 where %s once', async (_, fault) => {
      const organizationId = await bed.stack.client.newOrganization()
      await bed.stack.emulator.fault({ method: 'POST', ...fault })
      const intent = await setupIntentOf(await setUp(organizationId))
      await expectBound(organizationId, intent.customer)
    })

    it.each(lost)('answers 503 where %s twice, and uses the same customer when sent again', async (_, fault) => {
      const organizationId = await bed.stack.client.newOrganization()
      await bed.stack.emulator.fault({ method: 'POST', ...fault, times: 2 })
      expect(await setUp(organizationId)).toMatchObject(unavailable)
      const before = await customersOf(bed.stack, organizationId)
      const intent = await setupIntentOf(await setUp(organizationId))
      if (before.length > 0) expect(before.map(({ id }) => id)).toEqual([intent.customer])
      await expectBound(organizationId, intent.customer)
    })

    it('answers 503 while KMS is unavailable, and uses the same customer when sent again', async () => {
      const organizationId = await bed.stack.client.newOrganization()
      await failKms(bed.stack, 'Encrypt')
      expect(await setUp(organizationId)).toMatchObject(unavailable)
      expect(await storedAccount(bed.stack, organizationId)).not.toHaveProperty('custCipher')
      const created = await customerOf(bed.stack, organizationId)
      const intent = await setupIntentOf(await setUp(organizationId))
      expect(intent.customer).toBe(created)
      await expectBound(organizationId, created)
    })

    it.each([
      ['the write of the binding is lost', { kind: 'error' }],
      ['the answer to the write of the binding is lost', { kind: 'drop_after' }],
    ] as const)('answers 503 where %s, and uses the same customer when sent again', async (_, fault) => {
      const organizationId = await bed.stack.client.newOrganization()
      const token = await bed.stack.token()
      // The first one freezes what the customer is created with.
      bed.stack.dynamoDb.fail({ operation: 'UpdateItem', after: 1, times: 3, ...fault })
      expect(await setUp(organizationId, token)).toMatchObject(unavailable)
      const created = await customerOf(bed.stack, organizationId)
      expect((await setupIntentOf(await setUp(organizationId, token))).customer).toBe(created)
      await expectBound(organizationId, created)
    })

    it('answers 200 where the answer to the write of the binding is lost once', async () => {
      const organizationId = await bed.stack.client.newOrganization()
      const token = await bed.stack.token()
      bed.stack.dynamoDb.fail({ operation: 'UpdateItem', after: 1, times: 1, kind: 'drop_after' })
      const intent = await setupIntentOf(await setUp(organizationId, token))
      await expectBound(organizationId, intent.customer)
    })
  })

  describe('Given an organization with a customer', () => {
    it('answers 503 while KMS does not decrypt its id, and does not call the gateway', async () => {
      const { organizationId } = await bed.stack.organizationWithCard()
      await failKms(bed.stack, 'Decrypt')
      await bed.stack.emulator.clearRequests()
      expect(await setUp(organizationId)).toMatchObject(unavailable)
      expect(await bed.stack.emulator.requests()).toEqual([])
      await setupIntentOf(await setUp(organizationId))
    })

    const faults: readonly Omit<StripeFault, 'method' | 'path'>[] = [
      { kind: 'status', status: 500, times: 2 },
      { kind: 'status', status: 503, times: 2 },
      { kind: 'status', status: 429, times: 1 },
    ]
    it.each(faults)('answers 503 while the gateway is unavailable ($status)', async (fault) => {
      const { organizationId } = await bed.stack.organizationWithCard()
      await bed.stack.emulator.fault({ method: 'POST', path: '/v1/setup_intents', ...fault })
      expect(await setUp(organizationId)).toMatchObject(unavailable)
      await setupIntentOf(await setUp(organizationId))
    })

    it.each([400, 401, 403])('answers 502 where the gateway refuses with %i', async (status) => {
      const { organizationId } = await bed.stack.organizationWithCard()
      await bed.stack.emulator.fault({ method: 'POST', path: '/v1/setup_intents', kind: 'status', status })
      const detail = 'The payment gateway refused the request'
      expect(await setUp(organizationId)).toMatchObject({ status: 502, body: { detail } })
      await expectBound(organizationId, await customerOf(bed.stack, organizationId))
    })

    it('answers 502 where the customer was deleted at the gateway, and creates a new one when sent again', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const first = await customerOf(stack, organizationId)
      await stack.emulator.webhooks('hold')
      await stack.stripe.customers.del(first)
      expect((await setUp(organizationId)).status).toBe(502)
      const intent = await setupIntentOf(await setUp(organizationId))
      expect(intent.customer).not.toBe(first)
      expect(await customersOf(stack, organizationId)).toMatchObject([{ id: intent.customer }])
      await stack.emulator.flush('lifo', 2)
      const digest = customerDigest(String(intent.customer))
      expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 1, custDigest: digest })
    })

    it('answers 502 for a deleted customer while a slot is held, and creates a new one once the events are delivered', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      await stack.emulator.webhooks('hold')
      await stack.stripe.customers.del(await customerOf(stack, organizationId))
      expect((await setUp(organizationId)).status).toBe(502)
      expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 0, custDigest: expect.any(String) })
      expect((await setUp(organizationId)).status).toBe(502)
      await stack.emulator.flush()
      const intent = await setupIntentOf(await setUp(organizationId))
      expect(intent.customer).toBe(await customerOf(stack, organizationId))
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
    })
  })
})
