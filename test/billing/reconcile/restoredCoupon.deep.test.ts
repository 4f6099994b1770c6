import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, it } from '@jest/globals'
import { apiClient } from '../../../infra/local/samples/sampleApiClient.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { spawnScript } from '../../infra/local/support/childStack.ts'
import { useApiClients } from '../../organizations/apiClients/useApiClients.ts'
import { latestEvent, postWebhook, signed } from '../events/webhookRequests.ts'
import { subscriptionOf } from '../gatewayView.ts'
import { cleanAfterEach } from '../useCleanStack.ts'
import { driftOf, runReconcile } from './runReconcile.ts'

const { bed, tokenOf } = useApiClients()
cleanAfterEach(bed)

let database: ReturnType<typeof createDocumentClient> | undefined
afterAll(() => database?.destroy())

/** Leaves the table as a backup of before the purchase has it: without its slot and its redemption. */
async function restoreToBefore(organizationId: string, couponId: string): Promise<void> {
  const { dynamodb_endpoint: endpoint, tables } = bed.stack.client.info
  database ??= createDocumentClient({ endpoint, region: 'us-east-1' })
  for (const { pk, sk } of await bed.stack.items()) {
    if (pk !== `PRODUCTS#${organizationId}` && pk !== `COUPON#${couponId}`) continue
    await database.send(new DeleteCommand({ TableName: tables.billing, Key: { pk, sk } }))
  }
  expect([await bed.stack.slot(organizationId), await bed.stack.redemptions(couponId)]).toEqual([undefined, []])
}

/** A purchase with a coupon in a table that was restored to before it, and what the table had of the coupon. */
async function boughtBeforeRestore(
  buy = (id: string, code: string) => bed.stack.checkout(id, ['base_ota'], { coupon: code }),
) {
  const { stack } = bed
  const { organizationId } = await stack.organizationWithCard()
  const coupon = await stack.newCoupon()
  expect((await buy(organizationId, coupon.code)).outcomes).toEqual(['bought active'])
  await stack.emulator.flush()
  const recorded = {
    coupon: (await stack.slot(organizationId))?.coupon,
    redemptions: await stack.redemptions(coupon.id),
  }
  expect(recorded).toMatchObject({ coupon: { code: coupon.code }, redemptions: [{ state: 'APPLIED', n: 1 }] })
  const { id: subscriptionId } = await subscriptionOf(stack, organizationId)
  await restoreToBefore(organizationId, coupon.id)
  return { organizationId, subscriptionId, coupon, recorded }
}

/** The slot's coupon and its redemption are as they were, and nothing is left to report. */
async function expectRecorded({ organizationId, coupon, recorded }: Awaited<ReturnType<typeof boughtBeforeRestore>>) {
  const { stack } = bed
  const found = { coupon: (await stack.slot(organizationId))?.coupon, redemptions: await stack.redemptions(coupon.id) }
  expect(found).toEqual(recorded)
  expect(driftOf(await runReconcile(), organizationId)).toEqual([])
}

const taken = ['coupon_already_redeemed']

describe('After a restore to before a purchase with a coupon', () => {
  it('a pass that only adopts writes the coupon and its redemption: the buyer cannot redeem it once more', async () => {
    const { stack } = bed
    const bought = await boughtBeforeRestore()
    const { organizationId, coupon } = bought
    expect(driftOf(await runReconcile({ adoptOnly: true }), organizationId)).toEqual([
      'adopt ota: none, n=0 -> active, n=1, done',
    ])
    await expectRecorded(bought)
    expect((await stack.get('subscriptions', organizationId)).body).toMatchObject({
      subscriptions: [{ coupon_code: coupon.code }],
    })
    expect((await stack.checkout(organizationId, ['addon_monitoring'], { coupon: coupon.code })).outcomes).toEqual(
      taken,
    )
  })

  it('an event of the subscription writes both as well', async () => {
    const { stack } = bed
    const bought = await boughtBeforeRestore()
    const event = await latestEvent(stack, 'customer.subscription.created', bought.subscriptionId)
    const payload = JSON.stringify(event)
    expect(await postWebhook(stack, payload, [await signed(stack, payload)])).toMatchObject({ status: 200 })
    await expectRecorded(bought)
  })

  it('an operator who adopts the subscription writes both as well', async () => {
    const { stack } = bed
    const bought = await boughtBeforeRestore()
    const adopt = ['adopt', bought.organizationId, 'ota', bought.subscriptionId]
    const child = spawnScript('operate/operate.ts', [...adopt, '--base', stack.client.info.base_url])
    expect(await child.exited).toBe(0)
    await expectRecorded(bought)
  })

  it('the redemption counts for the user who created the API client that bought', async () => {
    const { stack } = bed
    const bought = await boughtBeforeRestore(async (id, coupon) =>
      stack.checkoutWith(await tokenOf(await apiClient(stack.client, id)), id, ['base_ota'], { coupon }),
    )
    await runReconcile({ adoptOnly: true })
    await expectRecorded(bought)
    const { code } = bought.coupon
    expect((await stack.checkout(bought.organizationId, ['addon_monitoring'], { coupon: code })).outcomes).toEqual(
      taken,
    )
  })

  it('a purchase that has redeemed the coupon since keeps it, and the subscription is adopted all the same', async () => {
    const { stack } = bed
    const { organizationId, coupon, subscriptionId } = await boughtBeforeRestore()
    const { organizationId: second } = await stack.organizationWithCard()
    expect((await stack.checkout(second, ['base_ota'], { coupon: coupon.code })).outcomes).toEqual(['bought active'])
    const held = await stack.redemptions(coupon.id)
    await runReconcile({ adoptOnly: true })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', subscription: { id: subscriptionId } })
    expect(await stack.redemptions(coupon.id)).toEqual(held)
    expect(driftOf(await runReconcile(), organizationId)).toEqual([])
  })
})
