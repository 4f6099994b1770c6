import { describe, expect, it } from '@jest/globals'
import { type BillingStack, useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate', 'gateway')

async function accountItem(stack: BillingStack, organizationId: string): Promise<Record<string, unknown>> {
  const item = (await stack.items()).find(({ pk, sk }) => pk === `ORG#${organizationId}` && sk === 'ACCOUNT')
  if (!item) throw new Error('The organization was created')
  return item
}

/** Has the organization pay invoices in 30 days, past the command. */
async function payInvoices(stack: BillingStack, organizationId: string): Promise<void> {
  await stack.putItem({ ...(await accountItem(stack, organizationId)), gateway: 'invoice', daysUntilDue: 30 })
}

describe('npm run operate -- gateway', () => {
  it('moves an organization, says from what to what, and has nothing to do when it is repeated', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    await payInvoices(stack, organizationId)
    const moved = 'invoice, due after 30 days -> card'
    const dry = await operate(organizationId, 'card', '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining(`would be moved: ${moved}`) })
    expect(await accountItem(stack, organizationId)).toMatchObject({ gateway: 'invoice', daysUntilDue: 30 })
    const wet = await operate(organizationId, 'card')
    expect(wet).toMatchObject({ code: 0, output: expect.stringContaining(`was moved: ${moved}`) })
    expect(wet.output).toContain('Gateway switched by an operator')
    const item = await accountItem(stack, organizationId)
    expect(item).toMatchObject({ gateway: 'card' })
    expect(item).not.toHaveProperty('daysUntilDue')
    const again = await operate(organizationId, 'card')
    expect(again).toMatchObject({
      code: 0,
      output: expect.stringContaining('nothing to do, the organization has card'),
    })
    const entries = await stack.auditEntries(organizationId)
    expect(entries.filter(({ action }) => action === 'organization.gateway_changed')).toMatchObject([
      {
        actor: { type: 'operator', id: null },
        target: organizationId,
        detail: { from: 'invoice', to: 'card', days_until_due: null },
      },
    ])
  })

  it('exits with 2 while a product is held, and changes nothing', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    await payInvoices(stack, organizationId)
    const held = await operate(organizationId, 'card')
    expect(held).toMatchObject({
      code: 2,
      output: expect.stringContaining('ota is active: each must have ended first'),
    })
    expect(await accountItem(stack, organizationId)).toMatchObject({ gateway: 'invoice', daysUntilDue: 30 })
    const late = await operate(organizationId, 'invoice', '--days', '366')
    expect(late).toMatchObject({ code: 2, output: expect.stringContaining('from 1 to 365') })
  })

  it.each([
    [['no-uuid', 'card'], 'ORGANIZATION is an id'],
    [['11111111-2222-4333-8444-555555555555', 'barter'], 'the gateway is one of card, invoice'],
    [['11111111-2222-4333-8444-555555555555', 'invoice', '--days', '-1'], 'days'],
    [['11111111-2222-4333-8444-555555555555', 'invoice', '--days', '3.5'], 'N of --days is a number'],
    [['11111111-2222-4333-8444-555555555555'], 'npm run operate -- <command>'],
  ])('exits with 1 and says what is wrong with %j', async (args, output) => {
    expect(await operate(...args)).toEqual({ code: 1, output: expect.stringContaining(output) })
  })
})
