import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { cleanAfterEach } from '../billing/cleanAfterEach.ts'
import { subscribedOrganization } from '../billing/gatewayView.ts'
import { driftOf, runReconcile } from '../billing/runReconcile.ts'
import { spawnScript } from '../local/support/childStack.ts'
import { useBillingStack } from '../support/billingStack.ts'
import { slotItem } from './putSlot.ts'

const bed = useBillingStack()
cleanAfterEach(bed)

/** One command of the drill, as the runbook has it but for where it is run. */
async function reconcile(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawnScript('operate/reconcile.ts', [...args, '--base', bed.stack.client.info.base_url])
  return { code: await child.exited, output: child.output() }
}

/** Writes every item back as it was, as a restore does. */
async function restore(items: readonly Record<string, unknown>[]): Promise<void> {
  for (const item of items) await bed.stack.putItem(item)
}

/** Buys, cancels and buys again, and returns the items of before the cancellation with both subscriptions. */
async function boughtAgain() {
  const { stack } = bed
  const { organizationId, card, subscriptionId: first } = await subscribedOrganization(stack)
  const backup = (await stack.items()).filter(({ pk }) => pk === `ORG#${organizationId}`)
  await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
  expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
  await stack.emulator.flush()
  const second = (await stack.subscriptions(organizationId)).find(({ id }) => id !== first)?.id ?? ''
  return { organizationId, card, first, second, backup }
}

describe('After a restore from a backup', () => {
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

describe('The runbook', () => {
  it('has the commands of the drill, in its order', () => {
    const readme = readFileSync(new URL('../../infra/README.md', import.meta.url), 'utf8')
    const [, chapter = ''] = readme.split(/^## Restore from a backup$/m)
    const commands = [...(chapter.split(/^## /m)[0] ?? '').matchAll(/`npm run reconcile -- ([^`]+)`/g)]
    expect(commands.map(([, args]) => args)).toEqual(['--aws --adopt-only', '--aws'])
  })
})
