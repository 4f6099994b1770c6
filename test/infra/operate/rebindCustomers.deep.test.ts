import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createCustomerBindings } from '../../../lib/adapters/dynamodb/customerBindingStore.ts'
import { failKms } from '../../billing/failKms.ts'
import { customerOf, storedAccount } from '../../billing/gatewayView.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { setAttributes } from '../../support/setAttributes.ts'
import { withLostKey } from './loseKey.ts'

const bed = useBillingStack()
const rebind = commandOn(bed, 'operate', 'rebind-customers')

const organizationWithCustomer = async () => {
  const { organizationId } = await bed.stack.organizationWithCard()
  return { id: organizationId, customer: await customerOf(bed.stack, organizationId) }
}
const details = async (id: string) => (await bed.stack.get('details', id)).status
const setDigest = (id: string, digest: string) =>
  setAttributes(
    bed.stack.documents,
    bed.stack.client.info.tables.billing,
    { pk: `ORG#${id}`, sk: 'ACCOUNT' },
    { custDigest: digest },
  )

describe('npm run operate -- rebind-customers', () => {
  it('binds customers of a lost key anew, one organization or all, after a dry run, and goes on where it stopped', async () => {
    const { stack } = bed
    const [one, two, three] = [
      await organizationWithCustomer(),
      await organizationWithCustomer(),
      await organizationWithCustomer(),
    ]
    await withLostKey(stack, async (lost) => {
      await lost.customer(one.id, one.customer)
      await lost.customer(two.id, two.customer)
    })
    expect(await details(one.id)).toBe(503)
    const dry = await rebind('--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('would be bound anew: 2') })
    expect(await details(one.id)).toBe(503)

    // It stops at the second of two.
    await failKms(stack, 'Encrypt', 1)
    expect(await rebind()).toMatchObject({ code: 1 })
    expect([await details(one.id), await details(two.id)].toSorted()).toEqual([200, 503])
    const readable = (await details(one.id)) === 200 ? one : two
    const left = readable === one ? two : one
    expect(await rebind(readable.id)).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 customers are read'),
    })
    expect(await details(left.id)).toBe(503)
    const rest = await rebind(left.id)
    expect(rest).toMatchObject({ code: 0, output: expect.stringContaining('bound anew: 1') })
    expect(rest.output).toContain('Customer bound anew by an operator')
    expect(rest.output).not.toContain('cus_')
    expect([await details(one.id), await details(two.id), await details(three.id)]).toEqual([200, 200, 200])
    const again = await rebind()
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('3 customers are readable, 0 are not') })
    // The digest and its index stay: events find the organization as before.
    expect(await customerOf(stack, one.id)).toBe(one.customer)
  })

  it('binds no customer that the digest does not confirm, whatever its metadata say', async () => {
    const { stack } = bed
    const [named, unknown] = [await organizationWithCustomer(), await organizationWithCustomer()]
    await withLostKey(stack, async (lost) => {
      for (const { id, customer } of [named, unknown]) await lost.customer(id, customer)
    })
    await setDigest(named.id, '0'.repeat(64))
    await setDigest(unknown.id, '1'.repeat(64))
    await stack.stripe.customers.update(unknown.customer, { metadata: { organization_id: '' } })
    const before = await storedAccount(stack, named.id)
    const { code, output } = await rebind()
    expect(code).toBe(2)
    expect(output).toMatch(new RegExp(`${named.id}.*current.*not confirmed`))
    expect(output).toMatch(new RegExp(`${unknown.id}.*current.*not found`))
    expect(await storedAccount(stack, named.id)).toEqual(before)
  })

  it('finds a former customer, which the gateway deleted, by its subscriptions', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    await stack.emulator.flush()
    const customer = await customerOf(stack, organizationId)
    await stack.stripe.customers.del(customer)
    await stack.emulator.flush()
    const { formerCustomers } = await storedAccount(stack, organizationId)
    expect(formerCustomers).toMatchObject([{ digest: expect.any(String) }])
    await withLostKey(stack, async (lost) => {
      await stack.documents.send(
        new UpdateCommand({
          TableName: stack.client.info.tables.billing,
          Key: { pk: `ORG#${organizationId}`, sk: 'ACCOUNT' },
          UpdateExpression: 'SET formerCustomers[0].cipher = :cipher',
          ExpressionAttributeValues: { ':cipher': await lost.cipherOf(organizationId, customer) },
        }),
      )
    })
    const { code, output } = await rebind(organizationId)
    expect(output).toMatch(new RegExp(`${organizationId}.*former.*bound anew`))
    expect(code).toBe(0)
    expect((await rebind(organizationId)).output).toContain('1 customers are readable, 0 are not')
  })

  it('stores no ciphertext over what another has changed meanwhile', async () => {
    const { stack } = bed
    const { id } = await organizationWithCustomer()
    const bindings = createCustomerBindings(stack.documents, stack.client.info.tables.billing)
    const account = (await bindings.list()).find(({ organizationId }) => organizationId === id)
    if (account?.customer === undefined) throw new Error('no customer is bound')
    const { customer } = account
    expect(await bindings.replaceCipher(account, { ...customer, cipher: 'earlier' }, 'mine')).toBe('conflict')
    expect(await bindings.replaceCipher(account, customer, 'mine')).toBe('written')
    expect(await bindings.replaceCipher(account, customer, 'another')).toBe('conflict')
    const forgotten = { ...account, customer: { ...customer, digest: '2'.repeat(64), cipher: 'mine' } }
    expect(await bindings.replaceCipher(forgotten, forgotten.customer, 'another')).toBe('conflict')
    expect((await storedAccount(stack, id)).custCipher).toBe('mine')
  })

  it.each([
    [['11111111-2222-4333-8444-555555555555'], 2, 'there is no such organization'],
    [['no-uuid'], 1, 'ORGANIZATION is an id'],
    [['a', 'b'], 1, 'npm run operate -- <command>'],
  ])('exits with what is wrong with %j', async (args, code, output) => {
    expect(await rebind(...args)).toEqual({ code, output: expect.stringContaining(output) })
  })
})
