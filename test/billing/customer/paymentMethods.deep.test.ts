import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { race, racers } from '../../support/race.ts'
import { customerOf, organizationWithUnheardCard } from '../gatewayView.ts'
import { useCardRequests } from './useCardRequests.ts'

const { bed, list, makeDefault, remove, defaultOf, ownCards } = useCardRequests()
const MONTH = 32 * 86_400
const pay = (organizationId: string) => bed.stack.post('/api/billing/subscriptions/ota/pay', organizationId, {})

/** Lets a month pass: every subscription is renewed, and all that follows from that is delivered. */
async function renew() {
  await bed.stack.emulator.advance(MONTH)
  await bed.stack.emulator.advance(2 * 3600)
  await bed.stack.emulator.flush()
}

/** The next renewal is paid: so many charges then. */
async function expectRenewed(organizationId: string, charges: number): Promise<void> {
  await renew()
  expect(await bed.stack.slot(organizationId)).toMatchObject({ state: 'active' })
  expect(await bed.stack.charges(organizationId)).toBe(charges)
}

/** An organization that bought `base_ota` with one card, and whose default has become another one that is declined. */
async function withDeadDefault() {
  const { organizationId, card } = await bed.stack.organizationWithCard()
  await bed.stack.checkout(organizationId, ['base_ota'], { card })
  await makeDefault(organizationId, await bed.stack.addCard(organizationId, 'pm_card_chargeCustomerFail'))
  return { organizationId, card }
}

describe('GET /api/billing/payment-methods', () => {
  it('says which products each pays for, the default those that name none, and which has paid', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const own = await stack.addCard(organizationId, 'pm_card_mastercard')
    const third = await stack.addCard(organizationId, 'pm_card_amex')
    await stack.checkout(organizationId, ['base_ota', 'addon_remote_ssh'], { card })
    await stack.checkout(organizationId, ['addon_monitoring'], { card: own })
    const ota = (await stack.subscriptions(organizationId)).find(({ metadata }) => metadata.product === 'ota')
    // The webhooks of the purchases lock the same customer.
    await stack.emulator.flush()
    await stack.stripe.subscriptions.update(ota?.id ?? '', { default_payment_method: '' })
    await stack.cancel(organizationId, { product: 'remote_ssh', at_period_end: false })
    expect((await list(organizationId)).body).toMatchObject({
      payment_methods: [
        { id: third, is_default: false, has_paid: false, pays_for: [] },
        { id: own, is_default: false, has_paid: true, pays_for: ['monitoring'] },
        { id: card, is_default: true, has_paid: true, pays_for: ['ota'] },
      ],
    })
    expect((await remove(organizationId, third)).status).toBe(204)
  })
})

describe('POST /api/billing/payment-methods/{id}/default', () => {
  it('converges to one card everywhere, of many requests for two cards at once', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'], { card })
    const both = [card, await stack.addCard(organizationId, 'pm_card_mastercard')]
    const answers = await race((place) => makeDefault(organizationId, both[place % 2] ?? card))
    for (const { status } of answers) expect([200, 503]).toContain(status)
    const last = await defaultOf(organizationId)
    if (answers.some(({ status }) => status === 503)) await makeDefault(organizationId, last ?? '')
    expect(await ownCards(organizationId)).toEqual([last])
  })

  it('stays beside the event of the first card, which found no default and writes its card after the choice', async () => {
    const { stack } = bed
    const { organizationId, card: first } = await organizationWithUnheardCard(stack)
    const token = await stack.token()
    const chosen = await stack.client.addCard({ token, organizationId, testCard: 'pm_card_mastercard' })
    const customer = `/v1/customers/${await customerOf(stack, organizationId)}`
    await stack.emulator.clearRequests()
    await stack.emulator.fault({ method: 'GET', path: customer, kind: 'delay', delay_ms: 2000 })
    const flushed = stack.emulator.flush()
    await stack.until(async () => (await stack.emulator.requests()).some(({ path }) => path === customer))
    expect(await makeDefault(organizationId, chosen)).toMatchObject({ status: 200, body: { is_default: true } })
    await flushed
    const writes = (await stack.emulator.requests()).filter(
      ({ method, path }) => method === 'POST' && path === customer,
    )
    expect(writes.length).toBeGreaterThan(1)
    expect([first, await defaultOf(organizationId)]).toEqual([first, chosen])
    await stack.emulator.webhooks('deliver')
  })

  it('replaces a dead card in time: the renewal is paid', async () => {
    const { organizationId, card } = await withDeadDefault()
    await makeDefault(organizationId, card)
    await expectRenewed(organizationId, 2)
  })

  it('replaces a dead card while past_due, and the open invoice is then paid with it', async () => {
    const { stack } = bed
    const { organizationId, card } = await withDeadDefault()
    await renew()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'past_due' })
    expect(await pay(organizationId)).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    await makeDefault(organizationId, card)
    expect(await pay(organizationId)).toMatchObject({
      status: 200,
      body: { subscription: { status: 'active', action: 'none' }, client: { action: 'none', client_secret: null } },
    })
    expect(await stack.charges(organizationId)).toBe(2)
    expect(await pay(organizationId)).toMatchObject({ status: 409, body: { code: 'nothing_to_pay' } })
  })

  it('lets a renewal that wants 3-D Secure be paid on session: `pay` returns the secret, and the event grants', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    await makeDefault(organizationId, await stack.addCard(organizationId, 'pm_card_authenticationRequired'))
    await renew()
    expect(await stack.slot(organizationId)).toMatchObject({
      state: 'past_due',
      subscription: { payment: 'requires_action' },
    })
    const answer = await pay(organizationId)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        subscription: { status: 'past_due', action: 'confirm_payment' },
        client: { action: 'confirm_payment', client_secret: expect.stringMatching(/_secret_/) },
      },
    })
    expect((await pay(organizationId)).body).toEqual(answer.body)
    const { client_secret } = z.object({ client: z.object({ client_secret: z.string() }) }).parse(answer.body).client
    await stack.emulator.authenticate(client_secret.replace(/_secret_.*/, ''), 'succeed')
    await stack.emulator.flush()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    expect(await stack.charges(organizationId)).toBe(2)
  })
})

describe('DELETE /api/billing/payment-methods/{id}', () => {
  // The removal fences purchases off, and a purchase that was claimed before is in its way.
  it('races with a purchase: nothing is sold without a card to pay for it', async () => {
    for (let round = 0; round < racers; round += 1) {
      const { organizationId, card } = await bed.stack.organizationWithCard()
      const [removed, bought] = await Promise.all([
        remove(organizationId, card),
        bed.stack.checkout(organizationId, ['base_ota']),
      ])
      const isLive = (await bed.stack.subscriptions(organizationId)).some(({ status }) => status === 'active')
      expect(isLive).toBe(bought.status === 201)
      expect(isLive && removed.status === 204).toBe(false)
      if (removed.status === 409) expect(removed.body).toMatchObject({ code: 'payment_method_in_use' })
    }
  }, 60_000)

  it('leaves a subscription to another card that has paid, and never to one that has not', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    const dead = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    expect((await stack.checkout(organizationId, ['base_ota'], { card: dead })).status).toBe(402)
    expect(await defaultOf(organizationId)).toBe(dead)
    const good = await stack.addCard(organizationId, 'pm_card_visa')
    expect((await stack.checkout(organizationId, ['base_ota'], { card: good })).status).toBe(201)
    await stack.emulator.flush()
    expect(await defaultOf(organizationId)).toBe(good)
    expect(await remove(organizationId, good)).toMatchObject({ status: 409, body: { code: 'payment_method_in_use' } })
    const other = await stack.addCard(organizationId, 'pm_card_mastercard')
    await stack.checkout(organizationId, ['addon_monitoring'], { card: other })
    expect((await remove(organizationId, good)).status).toBe(204)
    expect([await defaultOf(organizationId), await ownCards(organizationId)]).toEqual([other, [other]])
    await expectRenewed(organizationId, 4)
  })

  it('moves a subscription whose own card it is to the default before', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const own = await stack.addCard(organizationId, 'pm_card_mastercard')
    await stack.checkout(organizationId, ['addon_monitoring'], { card })
    await stack.checkout(organizationId, ['base_ota'], { card: own })
    await stack.emulator.flush()
    await stack.emulator.clearRequests()
    expect((await remove(organizationId, own)).status).toBe(204)
    const isWrite = ({ method, path }: { method: string; path: string }) =>
      method !== 'GET' && path !== '/v1/invoices/create_preview'
    const writes = (await stack.emulator.requests()).filter(isWrite).map(({ path }) => path)
    expect(writes).toEqual([expect.stringMatching(/^\/v1\/subscriptions\//), `/v1/payment_methods/${own}/detach`])
    expect(await ownCards(organizationId)).toEqual([card])
  })

  it('keeps a subscription’s own card where there is no default to go on with', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    const customer = await customerOf(stack, organizationId)
    await stack.stripe.customers.update(customer, { invoice_settings: { default_payment_method: '' } })
    expect(await remove(organizationId, card)).toMatchObject({ status: 409, body: { code: 'payment_method_in_use' } })
  })
})
