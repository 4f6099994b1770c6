import type * as z from 'zod'
import { answers } from './answers.ts'
import { expectEqual, type Scene } from './scene.ts'

const activeProducts = ({ entitlements }: z.output<typeof answers.entitlements>) =>
  entitlements.flatMap(({ product, active }) => (active ? [product] : []))
const entitled = (scene: Scene, expected: readonly string[]) =>
  scene.until('GET /api/billing/entitlements', answers.entitlements, activeProducts, expected)

/** Cancels and resumes, cancels at once, and cancels at the gateway. */
export async function cancelAndResume(scene: Scene, organizationId: string): Promise<void> {
  scene.title('Cancel at the end of the period, and take it back')
  const body = { product: 'monitoring' }
  const scheduled = await scene.send('POST /api/billing/cancel', answers.cancellation, { body })
  expectEqual('the answer', scheduled.status, 'cancellation_scheduled')
  const { subscriptions } = await scene.send('GET /api/billing/subscriptions', answers.subscriptions)
  const ending = subscriptions.flatMap(({ product, cancel_at }) => (cancel_at === null ? [] : [product]))
  expectEqual('what ends', ending, ['monitoring'])
  const resumed = await scene.send('POST /api/billing/subscriptions/monitoring/resume', answers.subscription)
  expectEqual('the end', resumed.cancel_at, null)

  scene.title('Cancel at once: other products are not affected')
  const atOnce = { product: 'ota', at_period_end: false }
  const canceled = await scene.send('POST /api/billing/cancel', answers.cancellation, { body: atOnce })
  expectEqual('the answer', canceled.status, 'canceled')
  await entitled(scene, ['monitoring', 'crash_reporting'])

  scene.title('A subscription that ends at the gateway: its event updates the record')
  const query = `metadata['organization_id']:'${organizationId}' AND metadata['product']:'crash_reporting'`
  const { data } = await scene.stripe.subscriptions.search({ query })
  for (const { id } of data) await scene.stripe.subscriptions.cancel(id)
  await entitled(scene, ['monitoring'])
}
