import { beforeEach, describe, expect, it } from '@jest/globals'
import { switchGateway } from '../../../lib/billing/operate/switchGateway.ts'
import type { PaymentTerms } from '../../../lib/billing/slot/ports.ts'
import { cancel } from '../../../lib/billing/subscriptions/cancel.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { caller, noon, organizationId, purchase } from '../../billing/fixtures.ts'
import type { Enter } from '../../proof/world/orders/gate.ts'
import { card, invoice, openSwitching, type Switching } from './switchingOrganization.ts'

const address = ['address.line1', 'address.city', 'address.country', 'address.postal_code']
const sooner = { ...invoice, daysUntilDue: 14 }
const refusedAs = (why: string) => ({ kind: 'refused', why: expect.stringContaining(why) })
const cancelOta = { organizationId, caller, product: 'ota' as const, atPeriodEnd: false }

let one: Switching
beforeEach(async () => {
  one = await openSwitching()
})

describe('Switching an organization’s gateway', () => {
  it('moves it to invoices with its terms, and back to the card; each is logged, and in the audit log by an operator', async () => {
    expect(await one.switchTo(invoice)).toEqual({
      kind: 'done',
      from: card,
      to: invoice,
      missing: ['email', ...address],
    })
    expect(await one.account()).toMatchObject(invoice)
    expect(await one.switchTo(card)).toEqual({ kind: 'done', from: invoice, to: card, missing: [] })
    expect(await one.account()).not.toHaveProperty('daysUntilDue')
    expect(one.records.save().entries).toMatchObject([
      {
        at: noon * 1000,
        actor: { type: 'operator', id: null },
        action: 'organization.gateway_changed',
        target: organizationId,
        detail: { from: 'card', to: 'invoice', days_until_due: 30 },
      },
      { detail: { from: 'invoice', to: 'card', days_until_due: null } },
    ])
    const line = {
      message: 'Gateway switched by an operator',
      fields: { organizationId, from: 'card', to: 'invoice', daysUntilDue: 30 },
    }
    expect(one.logged[0]).toEqual(line)
  })

  it('is a purchase without a card from then on, once the details are there, and says which are missing until then', async () => {
    const customer = one.books.customers.get(await one.openCustomer())
    const details = customer?.details
    if (customer && details) customer.details = { ...details, email: null, address: null }
    expect(await one.switchTo(invoice)).toMatchObject({ kind: 'done', missing: ['email', ...address] })
    expect(await one.buy(['base_ota'])).toEqual(['billing_details_required'])
    if (customer && details) customer.details = details
    expect(await one.switchTo(invoice)).toMatchObject({ kind: 'unchanged', missing: [] })
    expect(await one.buy(['base_ota'])).toEqual(['bought active'])
    expect(await one.wrong()).toEqual([])
  })

  it('says that the details are not known where the gateway does not answer, after the switch', async () => {
    await one.openCustomer()
    const deps = one.depsOf()
    const { invoice: gateway } = deps.gateways
    gateway.customers.fetchDetails = async () => ({ kind: 'unknown', saved: false })
    expect(await one.switchTo(invoice, {}, deps)).toMatchObject({ kind: 'done', missing: 'unknown' })
    expect(await one.account()).toMatchObject(invoice)
  })

  it('changes nothing where the organization pays so already', async () => {
    expect(await one.switchTo(card)).toEqual({ kind: 'unchanged', from: card, to: card, missing: [] })
    await one.switchTo(invoice)
    expect(await one.switchTo(invoice)).toMatchObject({ kind: 'unchanged' })
    expect(one.switches()).toHaveLength(1)
    expect(one.logged).toHaveLength(1)
  })

  it('writes nothing on a dry run, and answers as without', async () => {
    const before = one.records.save()
    expect(await one.switchTo(invoice, { dryRun: true })).toMatchObject({ kind: 'done', from: card, to: invoice })
    expect(one.records.save()).toEqual(before)
    await one.openCustomer()
    await one.buy(['base_ota'])
    expect(await one.switchTo(invoice, { dryRun: true })).toMatchObject(refusedAs('ota is active'))
    expect(one.switches()).toEqual([])
    expect(one.logged).toEqual([])
  })

  it.each<[PaymentTerms, string]>([
    [{ gateway: 'invoice' }, 'invoice takes days, from 1 to 365'],
    [{ ...invoice, daysUntilDue: 0 }, 'invoice takes days, from 1 to 365'],
    [{ ...invoice, daysUntilDue: 366 }, 'invoice takes days, from 1 to 365'],
    [{ ...invoice, daysUntilDue: 1.5 }, 'invoice takes days, from 1 to 365'],
    [{ ...card, daysUntilDue: 30 }, 'card takes no days'],
  ])('is refused for %j', async (terms, why) => {
    expect(await one.switchTo(terms)).toEqual(refusedAs(why))
    expect(one.switches()).toEqual([])
  })

  it.each([1, 365])('takes %i days', async (daysUntilDue) => {
    expect(await one.switchTo({ ...invoice, daysUntilDue })).toMatchObject({ kind: 'done' })
  })

  it('is refused for an organization that is not known', async () => {
    const stranger = organizationIdSchema.parse('9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d')
    const deps = one.depsOf()
    expect(await switchGateway(deps, { organizationId: stranger, ...invoice })).toEqual(
      refusedAs('no such organization'),
    )
  })

  it('is refused while products are held or pending, by name, and possible once they have ended', async () => {
    await one.openCustomer()
    await one.buy(['base_ota'])
    one.books.faultNext('answer lost')
    expect(await one.buy(['addon_monitoring'])).toEqual(['gateway_unavailable'])
    expect(await one.switchTo(invoice)).toEqual(
      refusedAs('ota is active, monitoring is pending: each must have ended first'),
    )
    expect(await one.buy(['addon_monitoring'])).toEqual(['bought active'])
    await cancel(one.depsOf(), { ...cancelOta, product: 'monitoring' })
    expect(await one.switchTo(invoice)).toEqual(refusedAs('ota is active: each'))
    await cancel(one.depsOf(), cancelOta)
    expect(await one.switchTo(invoice)).toMatchObject({ kind: 'done' })
    expect(await one.wrong()).toEqual([])
  })

  it('changes the days while something is held, for what is bought from then on', async () => {
    await one.openCustomer()
    await one.switchTo(invoice)
    await one.buy(['base_ota'])
    expect(await one.switchTo(sooner)).toMatchObject({ kind: 'done', from: invoice, to: sooner })
    expect(await one.switchTo(card)).toEqual(refusedAs('ota is active'))
    expect(one.switches().at(-1)).toEqual({ from: 'invoice', to: 'invoice', days_until_due: 14 })
  })

  it('is refused while the gateway lists a subscription that no slot holds, and where it does not see the customer', async () => {
    const customerId = await one.openCustomer()
    const terms = { customerId, price: { id: 'base_ota/0', currency: 'usd' }, purchase, coupon: null, card: null }
    const made = one.books.sell(terms, 0)
    expect(await one.switchTo(invoice)).toEqual(refusedAs(`${made.id}, which is active, and no slot holds it`))
    one.books.end(made)
    one.books.customers.delete(customerId)
    expect(await one.switchTo(invoice)).toEqual(refusedAs('does not see the customer'))
    expect(await one.account()).toMatchObject(card)
  })

  it('does not advise to cancel what is bought while the gateway is asked', async () => {
    await one.openCustomer()
    const buying: Enter = async (method, effect) => {
      if (method === 'listing.listCustomerSubscriptions') await one.buy(['base_ota'])
      return effect()
    }
    expect(await one.switchTo(invoice, {}, one.depsOf(buying))).toEqual(refusedAs('bought meanwhile: look again'))
    expect(await one.wrong()).toEqual([])
  })

  it('fails where the gateway does not answer, and is done by a repetition', async () => {
    await one.openCustomer()
    one.books.faultNext('not executed')
    expect(await one.switchTo(invoice)).toEqual({ kind: 'failed', why: 'the gateway did not answer' })
    expect(one.switches()).toEqual([])
    expect(await one.switchTo(invoice)).toMatchObject({ kind: 'done' })
  })
})
