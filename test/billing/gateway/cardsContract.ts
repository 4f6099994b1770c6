import { describe, expect, it } from '@jest/globals'
import type { DefaultReason } from '../../../lib/billing/gateway/gatewayPorts.ts'
import { MINUTE } from '../../../lib/billing/timing.ts'
import { organizationId, userId } from '../fixtures.ts'
import { answered, type Bank, type GatewayUnderTest, useGateway } from './gatewayUnderTest.ts'

/** What every gateway that takes cards must do for the purchase protocol to hold. */
export function describeCards(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const cards = () => {
    const port = bed.it.gateway.cards
    if (!port) throw new Error('This gateway takes no cards')
    return port
  }
  const addCard = async (customerId: string, bank: Bank = 'pays') =>
    (await bed.it.addCard?.(customerId, bank)) ?? 'no card'

  const setup = { organizationId, by: userId }
  const limits = () => ({ answerBy: bed.it.clock.now() + 8000 })
  const list = async (customerId: string) => answered(await cards().listCards(customerId, limits()))
  const defaultOf = async (customerId: string) => answered(await cards().fetchDefaultCard(customerId)).id
  /** A customer with two cards, the older of which is the default, beside a card of another customer. */
  async function holder() {
    const id = await bed.customer('none')
    const older = await addCard(id)
    await cards().setDefaultCard(id, older)
    bed.it.pass(MINUTE)
    return { id, older, newer: await addCard(id), foreign: await addCard(await bed.customer('none')) }
  }

  describe('Cards', () => {
    it('gives a new secret to set up a card each time', async () => {
      const id = await bed.customer('none')
      const secrets = [
        answered(await cards().createSetupIntent(id, setup)),
        answered(await cards().createSetupIntent(id, setup)),
      ]
      expect(secrets).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)])
      expect(secrets[0]).not.toBe(secrets[1])
    })

    it('refuses a customer that is gone as customer_missing', async () => {
      const id = await bed.customer('none')
      bed.it.deleteCustomer(id)
      const refused = { kind: 'refused', reason: 'customer_missing' }
      expect(await cards().createSetupIntent(id, setup)).toMatchObject(refused)
      expect(await cards().listCards(id, limits())).toMatchObject(refused)
    })

    it('remembers the choice of a user, which a default that no user chose leaves as it is', async () => {
      const id = await bed.customer('none')
      const [first, second] = [await addCard(id), await addCard(id)]
      const set = async (card: string, because?: DefaultReason) =>
        answered(await cards().setDefaultCard(id, card, because))
      const fetched = async () => answered(await cards().fetchDefaultCard(id))
      expect(await fetched()).toEqual({ id: null })
      expect(await set(first)).toEqual({ id: first })
      const chosen = { id: second, at: 1_800_000_000_001 }
      expect(await set(second, { kind: 'chosen', at: chosen.at })).toEqual({ id: second, chosen })
      expect(await set(first)).toEqual({ id: first, chosen })
      expect(await fetched()).toEqual({ id: first, chosen })
      expect(bed.it.defaultCardOf(id)).toBe(first)
    })

    it('remembers why it was made the default, which a choice of the same card overrides', async () => {
      const id = await bed.customer('none')
      const [first, second] = [await addCard(id), await addCard(id)]
      const set = async (card: string, because?: DefaultReason) =>
        answered(await cards().setDefaultCard(id, card, because))
      expect(await set(first, { kind: 'set_up' })).toEqual({ id: first, because: 'set_up' })
      expect(await set(second)).toEqual({ id: second })
      expect(await set(second, { kind: 'paid' })).toEqual({ id: second, because: 'paid' })
      expect(await set(first, { kind: 'paid' })).toEqual({ id: first, because: 'paid' })
      const chosen = { id: first, at: 1_800_000_000_001 }
      expect(await set(first, { kind: 'chosen', at: chosen.at })).toEqual({ id: first, chosen })
      expect(answered(await cards().fetchDefaultCard(id))).toEqual({ id: first, chosen })
    })

    it('lists those that have paid, the first payer first, without a card that was declined, waits or was removed', async () => {
      const id = await bed.customer('none')
      const [first, second] = [await addCard(id), await addCard(id)]
      const others = [await addCard(id, 'declines'), await addCard(id, 'asks')]
      const paid = async () => answered(await cards().listPaidCards(id, limits()))
      expect(await paid()).toEqual([])
      const foreign = await bed.customer('pays')
      await bed.buy(foreign)
      for (const [index, paymentMethodId] of [...others, second, first, second].entries()) {
        await bed.buy(id, { paymentMethodId, purchase: { n: index + 1 } })
        bed.it.pass(MINUTE)
      }
      expect(await paid()).toEqual([second, first])
      await cards().removeCard(second)
      expect(await paid()).toEqual([first])
      expect(answered(await cards().listPaidCards(foreign))).toHaveLength(1)
    })

    it('has no default of a deleted customer and sets none, and refuses a customer that it does not see', async () => {
      const id = await bed.customer('none')
      const card = await addCard(id)
      bed.it.deleteCustomer(id)
      expect(await cards().setDefaultCard(id, card)).toMatchObject({ kind: 'refused', reason: 'not_found' })
      expect(await cards().setDefaultCard('unknown', card)).toMatchObject({ kind: 'refused', reason: 'not_found' })
      expect(await cards().fetchDefaultCard('unknown')).toMatchObject({ kind: 'refused' })
      expect(await defaultOf(id)).toBeNull()
    })

    it('lists the customer’s own, the newest first, and says which one is the default', async () => {
      const { id, older, newer } = await holder()
      expect(await list(id)).toMatchObject([
        { id: newer, isDefault: false },
        { id: older, isDefault: true },
      ])
      const shown = { brand: expect.stringMatching(/./), last4: expect.stringMatching(/^.{4}$/) }
      const expiry = { expMonth: expect.any(Number), expYear: expect.any(Number) }
      expect((await list(id))[0]).toEqual({ id: newer, isDefault: false, ...shown, ...expiry })
      expect(await list(await bed.customer('none'))).toEqual([])
    })

    it('finds one beside the default, and neither another customer’s nor an unknown one', async () => {
      const { id, older, newer, foreign } = await holder()
      const fetch = async (card: string) => answered(await cards().fetchCard(id, card))
      expect(await fetch(newer)).toMatchObject({ card: { id: newer, isDefault: false }, defaultId: older })
      expect(await fetch(older)).toMatchObject({ card: { id: older, isDefault: true }, defaultId: older })
      expect([await fetch(foreign), await fetch('pm_unknown')]).toEqual([null, null])
      await cards().setDefaultCard(id, newer, { kind: 'paid' })
      expect(await fetch(older)).toMatchObject({ card: { isDefault: false }, defaultId: newer, because: 'paid' })
    })

    it('makes one the default instead of another, once or twice, and neither another customer’s nor an unknown one', async () => {
      const { id, newer, foreign } = await holder()
      for (const _time of [1, 2]) expect(await cards().setDefaultCard(id, newer)).toMatchObject({ kind: 'ok' })
      expect(await defaultOf(id)).toBe(newer)
      const refused = await cards().setDefaultCard(id, foreign)
      expect(refused).toMatchObject({ kind: 'refused', reason: 'payment_method_invalid' })
      expect(await cards().setDefaultCard(id, 'pm_unknown')).toEqual(refused)
      expect(await defaultOf(id)).toBe(newer)
      expect((await list(id)).map(({ isDefault }) => isDefault)).toEqual([true, false])
    })

    it('removes one for good, from what it paid as well: the default takes its place, or nothing', async () => {
      const { id, older, newer } = await holder()
      const sold = await bed.buy(id, { paymentMethodId: newer })
      const own = async () => answered(await bed.it.gateway.purchases.listOwnCards(id))
      expect(await own()).toEqual([{ subscriptionId: sold.id, paymentMethodId: newer }])
      expect(await cards().removeCard(newer)).toMatchObject({ kind: 'ok' })
      expect(await own()).toEqual([{ subscriptionId: sold.id, paymentMethodId: null }])
      expect((await list(id)).map((card) => card.id)).toEqual([older])
      expect(await defaultOf(id)).toBe(older)
      expect(await cards().removeCard(older)).toMatchObject({ kind: 'ok' })
      expect([await list(id), await defaultOf(id)]).toEqual([[], null])
      expect(answered(await cards().fetchCard(id, older))).toBeNull()
      for (const gone of [older, newer, 'pm_unknown']) {
        expect(await cards().removeCard(gone)).toMatchObject({ kind: 'refused' })
        expect(await cards().setDefaultCard(id, gone)).toMatchObject({ kind: 'refused' })
      }
    })

    it('says of nothing that it is not there where it could not be asked, and changes nothing', async () => {
      const { id, older, newer } = await holder()
      const calls = [
        () => cards().listCards(id, limits()),
        () => cards().fetchCard(id, newer),
        () => cards().fetchDefaultCard(id),
        () => cards().setDefaultCard(id, newer),
        () => cards().listPaidCards(id),
        () => cards().removeCard(newer),
      ]
      for (const call of calls) {
        bed.it.faultNext('not executed')
        expect(await call()).toMatchObject({ kind: 'unknown' })
      }
      expect((await list(id)).map((card) => card.id)).toEqual([newer, older])
      expect(await defaultOf(id)).toBe(older)
    })

    it('is changed though the answer was lost', async () => {
      const { id, older, newer } = await holder()
      bed.it.faultNext('answer lost')
      expect(await cards().setDefaultCard(id, newer)).toMatchObject({ kind: 'unknown' })
      expect(await defaultOf(id)).toBe(newer)
      bed.it.faultNext('answer lost')
      expect(await cards().removeCard(older)).toMatchObject({ kind: 'unknown' })
      expect((await list(id)).map((card) => card.id)).toEqual([newer])
    })
  })
}
