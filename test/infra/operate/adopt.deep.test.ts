import { beforeAll, describe, expect, it } from '@jest/globals'
import { createAtGateway, purchaseMetadata } from '../../billing/createAtGateway.ts'
import { customerOf, customersOf, storedAccount, subscribedOrganization } from '../../billing/gatewayView.ts'
import { driftOf, reportsOf, runReconcile } from '../../billing/reconcile/runReconcile.ts'
import { useCleanStack } from '../../billing/useCleanStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { holdUnknown, isActive, loseCustomer } from './putSlot.ts'

const bed = useCleanStack()
const operate = commandOn(bed, 'operate')
beforeAll(() => bed.stack.emulator.allowSeveralLive())

/** A live subscription of the organization's customer that was made in the Dashboard. */
async function createByHand(organizationId: string, card: string, metadata: Record<string, string> = {}) {
  const customer = await customerOf(bed.stack, organizationId)
  return createAtGateway(bed.stack, { customer, default_payment_method: card, metadata })
}

describe('npm run operate -- adopt', () => {
  it('makes a free slot hold a subscription that was made by hand', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    const made = await createByHand(organizationId, card)
    const adopted = await operate('adopt', organizationId, 'ota', made.id)
    expect(adopted).toMatchObject({ code: 0, output: expect.stringContaining('was none, n=0 -> active, n=0') })
    expect(adopted.output).toContain('Slot changed by an operator')
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', subscription: { id: made.id } })
    expect(await isActive(bed.stack, organizationId)).toBe(true)
    const again = await operate('adopt', organizationId, 'ota', made.id)
    expect(again).toMatchObject({ code: 2, output: expect.stringContaining('the slot of ota holds it') })
    await stack.stripe.subscriptions.cancel(made.id)
  })

  it('raises the purchase number to that of the subscription', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    const made = await createByHand(organizationId, card, purchaseMetadata(stack, organizationId, 4))
    expect(await operate('adopt', organizationId, 'ota', made.id)).toMatchObject({ code: 0 })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 4, raisedTo: 4 })
  })

  it('is refused while the slot’s own is live, for another product, an ended one, and one of another customer', async () => {
    const { stack } = bed
    const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
    const other = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    const made = await createByHand(organizationId, card)
    const refusals = async (...args: string[]) => (await operate('adopt', ...args)).output
    expect(await refusals(organizationId, 'ota', made.id)).toContain(`own ${subscriptionId} is active`)
    expect(await refusals(organizationId, 'monitoring', made.id)).toContain('does not sell monitoring')
    expect(await refusals(other.organizationId, 'ota', made.id)).toContain('customer has no such subscription')
    await stack.stripe.subscriptions.cancel(made.id)
    expect(await refusals(organizationId, 'ota', made.id)).toContain('the subscription is canceled')
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', subscription: { id: subscriptionId } })
  })

  it('replaces a subscription that the gateway does not know, which cannot be released beside a live one', async () => {
    const { stack } = bed
    const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
    await stack.emulator.webhooks('hold')
    await stack.stripe.subscriptions.cancel(subscriptionId)
    await holdUnknown(stack, organizationId)
    const made = await createByHand(organizationId, card)
    expect(await operate('release', organizationId, 'ota')).toMatchObject({ code: 2 })
    expect(await operate('adopt', organizationId, 'ota', made.id)).toMatchObject({ code: 0 })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', subscription: { id: made.id } })
    await stack.stripe.subscriptions.cancel(made.id)
  })

  it('binds the customer of an organization that a restore to before its first purchase left without one', async () => {
    const { stack } = bed
    const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
    await loseCustomer(stack, organizationId)
    const lost = await storedAccount(stack, organizationId)
    expect(reportsOf(await runReconcile({ adoptOnly: true }), organizationId)).toEqual([
      expect.stringContaining('the organization has no customer'),
    ])
    const tried = await operate('adopt', organizationId, 'ota', subscriptionId, '--dry-run')
    expect(tried).toMatchObject({ code: 0, output: expect.stringContaining('would be none, n=0 -> active, n=1') })
    expect(await storedAccount(stack, organizationId)).toEqual(lost)

    expect(await operate('adopt', organizationId, 'ota', subscriptionId)).toMatchObject({ code: 0 })
    expect(await storedAccount(stack, organizationId)).toHaveProperty('custDigest')
    expect(driftOf(await runReconcile(), organizationId)).toEqual([])
    await stack.emulator.advance(25 * 3600)
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['already_subscribed'])
    expect(await customersOf(stack, organizationId)).toHaveLength(1)
  })

  it('binds no customer of another organization, and none whose subscription names another slot', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    await loseCustomer(stack, organizationId)
    const lost = await storedAccount(stack, organizationId)
    const other = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    const made = await createByHand(other.organizationId, other.card, purchaseMetadata(stack, organizationId))
    const refusals = async (...args: string[]) => (await operate('adopt', ...args)).output
    expect(await refusals(organizationId, 'ota', made.id)).toContain(`is that of organization ${other.organizationId}`)
    expect(await refusals(organizationId, 'monitoring', subscriptionId)).toContain('metadata do not name it')
    expect(await refusals(organizationId, 'ota', 'sub_none')).toContain('the gateway does not know the subscription')
    expect(await storedAccount(stack, organizationId)).toEqual(lost)
    await stack.stripe.subscriptions.cancel(made.id)
  })
})
