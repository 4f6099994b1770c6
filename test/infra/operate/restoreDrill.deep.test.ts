import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { subscribedOrganization } from '../../billing/gatewayView.ts'
import { driftOf, runReconcile } from '../../billing/reconcile/runReconcile.ts'
import { useCleanStack } from '../../billing/useCleanStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { slotItem } from './putSlot.ts'

const bed = useCleanStack()
/** One command of the drill, as the runbook has it but for where it is run. */
const reconcile = commandOn(bed, 'reconcile')

/** Writes every item back as it was, as a restore does. */
async function restore(items: readonly Record<string, unknown>[]): Promise<void> {
  for (const item of items) await bed.stack.putItem(item)
}

/** Buys, cancels and buys again, and returns the items of before the cancellation with both subscriptions. */
async function boughtAgain() {
  const { stack } = bed
  const { organizationId, card, subscriptionId: first } = await subscribedOrganization(stack)
  const backup = (await stack.items()).filter(({ pk }) => String(pk).endsWith(`#${organizationId}`))
  await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
  expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
  await stack.emulator.flush()
  const second = (await stack.subscriptions(organizationId)).find(({ id }) => id !== first)?.id ?? ''
  return { organizationId, card, first, second, backup }
}

describe('After a restore from a backup', () => {
  // [bug 1]
  it('a pass that only adopts, and then an ordinary one, keep what was paid for, and no number is used again', async () => {
    const { stack } = bed
    const { organizationId, card, first, second, backup } = await boughtAgain()
    await restore(backup)
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1, subscription: { id: first } })

    const adopting = await reconcile('--adopt-only')
    expect(adopting.code).toBe(0)
    expect(adopting.output).toMatch(new RegExp(`${organizationId}.*${first}.*'free'.*'yes'`))
    expect(adopting.output).toMatch(new RegExp(`${organizationId}.*${second}.*'adopt'.*'yes'`))
    const held = { state: 'active', n: 2, raisedTo: 2, subscription: { id: second } }
    expect(await stack.slot(organizationId)).toMatchObject(held)
    const ordinary = await reconcile()
    expect(ordinary).toMatchObject({ code: 0, output: expect.stringContaining('no drift') })
    expect(await stack.slot(organizationId)).toMatchObject(held)
    expect((await stack.stripe.subscriptions.retrieve(second)).status).toBe('active')
    expect((await stack.stripe.refunds.list({ limit: 100 })).data).toEqual([])

    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    expect(await stack.slot(organizationId)).toMatchObject({ n: 3 })
    const numbers = (await stack.subscriptions(organizationId)).map(({ metadata }) => metadata.n)
    expect(numbers.toSorted()).toEqual(['1', '2', '3'])
  })

  it('numbers of purchases that have ended since the backup are not used again either', async () => {
    const { stack } = bed
    const { organizationId, card, backup } = await boughtAgain()
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    await stack.emulator.flush()
    await restore(backup)
    const passed = await runReconcile({ adoptOnly: true })
    expect(driftOf(passed, organizationId)).toContain('raise ota: active, n=1 -> canceled, n=2, done')
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled', n: 2, raisedTo: 2 })
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    expect(await stack.slot(organizationId)).toMatchObject({ n: 3 })
  })

  it('neither refunds nor cancels when the backup has no purchase at all', async () => {
    const { stack } = bed
    const { organizationId, second } = await boughtAgain()
    const { pk, sk, organizationId: id, product, product_code, plan_code } = await slotItem(stack, organizationId)
    const rest = { pk, sk, organizationId: id, product, product_code, plan_code }
    await stack.putItem({ ...rest, state: 'none', n: 0, rev: 1 })
    await runReconcile({ adoptOnly: true })
    await runReconcile()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 2, subscription: { id: second } })
    expect((await stack.stripe.subscriptions.retrieve(second)).status).toBe('active')
    expect((await stack.stripe.refunds.list({ limit: 100 })).data).toEqual([])
  })
})

/** The item of a pass that was under way when a table of this name was backed up. */
const passOf = (table: string) => ({
  ...{
    pk: 'RECONCILIATION',
    sk: 'PASS',
    id: 'before',
    rev: 7,
    startedAt: Date.now(),
    phase: 'slots',
    adoptOnly: false,
  },
  counts: { events: 0, subscriptions: 0, slots: 0, refunds: 0, disputes: 0, overdue: 0, drift: 0, left: 0 },
  table,
})
const storedPass = z.object({ id: z.string(), phase: z.string(), adoptOnly: z.boolean(), table: z.string() })

describe('The drill: restore, maintenance, the first pass, open', () => {
  it('answers reads meanwhile, and only adopts at first, whoever begins the pass and however', async () => {
    const { stack } = bed
    const pass = async () => storedPass.parse((await stack.items()).find(({ sk }) => sk === 'PASS'))
    const { organizationId, card, first, second, backup } = await boughtAgain()
    await restore([...backup, passOf('prod-billing-before')])

    expect(await stack.slot(organizationId)).toMatchObject({ n: 1, subscription: { id: first } })
    // Maintenance: what is stopped is in test/infra/aws/stacks/maintenance.deep.test.ts. Reads go on, with what the backup knows.
    expect(await stack.get('subscriptions', organizationId)).toMatchObject({
      status: 200,
      body: { subscriptions: [{ product: 'ota', status: 'active' }] },
    })

    // The schedule would have continued the pass of before the restore, and an operator may forget the flag.
    expect(await runReconcile({ begin: false, finishBy: 0 })).toMatchObject({ state: 'continues' })
    const adopting = await reconcile()
    expect(adopting.output).toMatch(new RegExp(`${organizationId}.*${second}.*'adopt'.*'yes'`))
    expect(await pass()).toMatchObject({ phase: 'complete', adoptOnly: true, table: 'billing' })
    const held = { state: 'active', n: 2, raisedTo: 2, subscription: { id: second } }
    expect(await stack.slot(organizationId)).toMatchObject(held)

    // Open: the next pass is an ordinary one, and so are purchases.
    expect(await reconcile()).toMatchObject({ code: 0, output: expect.stringContaining('no drift') })
    expect(await pass()).toMatchObject({ phase: 'complete', adoptOnly: false })
    expect(await stack.slot(organizationId)).toMatchObject(held)
    expect((await stack.stripe.refunds.list({ limit: 100 })).data).toEqual([])
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    expect(await stack.slot(organizationId)).toMatchObject({ n: 3 })
  })
})

describe('The runbook', () => {
  it('has the commands of the drill, in its order', () => {
    const page = readFileSync(new URL('../../../infra/runbook/restore.md', import.meta.url), 'utf8')
    const [, chapter = ''] = page.split(/^## Restore from a backup$/m)
    const commands = [...(chapter.split(/^## /m)[0] ?? '').matchAll(/`npm run reconcile -- ([^`]+)`/g)]
    expect(commands.map(([, args]) => args)).toEqual([
      '--aws --stage prod --adopt-only --apply',
      '--aws --stage prod --apply',
    ])
  })
})
